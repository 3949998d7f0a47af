"""Every kind of event: registered in one place, described in the log, known to the second computation."""

from nousu.engine.messages import Note
from nousu.i18n import LANGUAGES, translator
from nousu.i18n.office import event_words
from nousu.tournament.history import EVENTS, tournament
from tools.tournament_oracle.book import lines_of
from tools.tournament_oracle.event_generator import generate
from tools.tournament_oracle.replay import Replay


def test_event_kinds_are_all_carried_out_described_and_computed_twice() -> None:
    """Random events hold every kind but links, which no result depends on."""
    links = {"admitted", "revoked", "relinked"}
    left = set(EVENTS) - {"apart"} - links
    for seed in range(60):
        events = lines_of(generate(seed))
        state = tournament(events)
        for event in events:
            kind = EVENTS[event["do"]]
            note = kind.describe(event, state)
            assert isinstance(note, Note) and "{" not in note.english
            left.discard(kind.name)
    assert not left
    for name in set(EVENTS) - {"undone"}:
        assert hasattr(Replay, f"_do_{name}"), name


def test_event_kinds_have_a_handler_but_for_the_beginning_and_undoing() -> None:
    assert {name for name, kind in EVENTS.items() if kind.handler is None} == {"opened", "undone"}
    for name, kind in EVENTS.items():
        assert kind.name == name
        assert not (kind.publishes and kind.undoable), name


def test_event_words_say_what_is_no_kind_as_it_is() -> None:
    state = tournament(lines_of(generate(1)))
    for language in LANGUAGES:
        say = translator(language)
        assert event_words({"do": "flown"}, state, say) == "flown"
        assert event_words({"do": "penalty"}, state, say) == "penalty"  # incomplete, in a damaged file
