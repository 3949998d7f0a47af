"""Refusals in the language of the reader: each has a message of the catalogues."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import nousu
from nousu.engine import laws
from nousu.engine.actions import Action, Call, Give, Play, Seal, Show
from nousu.engine.cards import DECK_52
from nousu.engine.errors import BadRules, IllegalAction
from nousu.engine.game import Game
from nousu.engine.messages import Explained, Note
from nousu.engine.options import options
from nousu.engine.seats import DIRECTOR
from nousu.games import find, games
from nousu.i18n import LANGUAGES, translator
from nousu.i18n.sentences import note_with_clause
from nousu.players import find_player
from tools import collect_messages

OTHERS = [language for language in LANGUAGES if language != "en"]
WORDS = (
    "pass rami nolo grand nullo sooli end redeal yes no keep hold leave raise look blind accept 50 55 1000 "
    "contract_50 ask_full ask_half_SQ marriage_H challenge_E challenge_P2 penalty_IV2_N abracadabra"
)
CALLS = tuple(Call(word.replace("_", " ")) for word in WORDS.split())
UNFIT = (
    "game",
    "tuppi+foo=1",
    "tuppi+targe=1",
    "tuppi+target",
    "tuppi+extension=on",
    "minnesota+sooli=on",
    "tuppi+high_points=0",
    "tuppi+low_mode=debit_loser",
    "tuppi_tournament+partners=drawn+first_dealer=random",
    "minnesota+single_colour_hand=may_void+bid_ranks=3-10",
    "huutopussi+min_bid=55+bid_step=20",
    "huutopussi+reopen_if_barred=on",
    "huutopussi+all_pass=redeal+forced_opening=off",
)


def modules() -> Iterator[str]:
    """Every module of the package that can be imported here."""
    for module in pkgutil.walk_packages(nousu.__path__, "nousu."):
        if not module.name.startswith(
            ("nousu.integrations", "nousu.server.storage.store.migrations", "nousu.__main__")
        ):
            yield module.name


def errors_for_people(kind: type[Explained] = Explained) -> set[str]:
    takes = [one for one in kind.__subclasses__() if "message" in inspect.signature(one).parameters]
    found = {one.__name__ for one in takes}
    return found.union(*(errors_for_people(one) for one in kind.__subclasses__()))


def test_error_classes_for_users_are_known_to_the_collector() -> None:
    for name in modules():
        importlib.import_module(name)
    assert errors_for_people() - set(collect_messages.KEYWORDS) == set()
    assert {"IllegalAction", "BadRules", "RequestError", "Refusal", "Damaged"} <= errors_for_people()


IN_PROGRAMS = {
    "server/storage/store.py": "BadDatabase: said to who starts a server",
    "server/storage/sqlite.py": "BadDatabase: said to who starts a server",
    "server/storage/backup.py": "BadDatabase: said to who makes a backup at a terminal",
    "server/table/shuffle.py": "BadRecord: said to who checks a record",
    "games/whist/rules.py": "a pack shorter than the draw is an error of the program",
    "games/huutopussi/facts.py": "facts read back from JSON: said to programs",
    "games/whist/facts.py": "facts read back from JSON: said to programs",
    "games/tuppen/standing.py": "the standing of another game is an error of the program",
    "server/table/events.py": "events that mean nothing are an error of the program",
    "server/http/protocols.py": "said to a client before it can have a language",
    "server/live/workers.py": "an illegal action of a computer player is an error of the program",
    "server/live/tables.py": "BadRecord: what a damaged record of a match says",
    "server/people/views.py": "BadRecord: said to programs that ask for a check",
    "server/table/claims.py": "events that mean nothing are an error of the program",
    "server/settings.py": "said to who starts a server",
    "server/notifications/webpush.py": "caught where an address for notices is read",
    "server/table/table.py": "events that cannot follow are an error of the program",
}
"""Files that may raise errors with texts that are in no catalogue, and why."""


def test_error_without_a_message_is_raised_nowhere_near_users() -> None:
    """Games, terminal and pages raise no plain error with a sentence of its own."""
    root = Path(nousu.__file__).parent
    plain = set()
    for folder in ("games", "terminal", "tournament", "server"):
        for path in (root / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                    kind = ast.unparse(node.exc.func)
                    if kind in ("ValueError", "BadDatabase", "BadRecord"):  # others are never said to people
                        plain.add(path.relative_to(root).as_posix())
    # A damaged match at one's own terminal: `play` names the line in the person's language.
    assert plain - set(IN_PROGRAMS) == {"terminal/session.py"}


def refusal_reasons(game: Game, preset: str) -> Iterator[Note]:
    """Why cards and words are refused to every seat in positions of random matches."""
    rng = Random(preset)
    seats = min(4, game.seats_for(preset).stop - 1)
    for count, (_, hand) in enumerate(laws.random_match(game, game.presets[preset], seats, rng, hands=4)):
        if count % 6:
            continue
        cards = rng.sample(DECK_52, 8)
        held = [card for seat in range(seats) for card in hand.view(seat).cards if card >= 0]
        pool: list[Action] = [*map(Play, cards), *map(Play, held), *map(Seal, cards), *CALLS, Seal("rami")]
        pool += [Give((cards[0],)), Give(tuple(cards[:3]), 2), Show((cards[0],)), Give(tuple(cards[:4]))]
        for seat in (*range(seats), DIRECTOR):
            for action in pool:
                try:
                    hand.apply(seat, action)
                except IllegalAction as refused:
                    yield refused.note


def unfit() -> Iterator[Note]:
    """Why rule sets are refused: every option with a value nobody allows, and what does not go together."""
    wrong = [f"{next(iter(game.presets))}+{item.name}=?" for game in games().values()
             for item in options(game.rules)]  # fmt: skip
    for text in (*wrong, *UNFIT):
        with pytest.raises(BadRules) as refused:
            find(text)
        yield refused.value.note
    for preset, seats in (("tuppi", 5), ("toepen", 2)):
        with pytest.raises(BadRules) as refused:
            find(preset)[0].check_seats(preset, seats)
        yield refused.value.note
    with pytest.raises(Explained) as nobody:
        find_player("oracle")
    yield nobody.value.note


def in_every_language(note: Note) -> None:
    english = note_with_clause(note, translator("en"))
    assert "{" not in english
    for language in OTHERS:
        result = note_with_clause(note, translator(language))
        assert "{" not in result and result, (language, result)
        assert result != english, (language, result)


@pytest.mark.parametrize("preset", [name for game in games().values() for name in game.presets])
def test_refusal_of_every_illegal_action_in_every_language(preset: str) -> None:
    game, _ = find(preset)
    if preset not in game.presets:  # another package's
        return
    notes = {(note.clause, note.message): note for note in refusal_reasons(game, preset)}
    assert len(notes) > 3
    for note in notes.values():
        in_every_language(note)


def test_refusal_of_every_wrong_rule_set_in_every_language() -> None:
    for note in unfit():
        in_every_language(note)


def test_refusal_names_options_and_values_in_words() -> None:
    with pytest.raises(BadRules) as refused:
        find("tuppi+bid_mode=shouted")
    assert note_with_clause(refused.value.note, translator("de")) == (
        "Art der Ansage: shouted (bid_mode=shouted) ist nicht erlaubt; erlaubt sind "
        "eine Handkarte (hand_card), eine Ansagekarte (bid_card), mit Worten (spoken) (T-CAT-11)"
    )
    assert str(refused.value) == (
        "bid_mode=shouted is not allowed; the allowed values are hand_card, bid_card, spoken"
    )
