"""Sentences about a table: every action of every game has one, and none tells a secret."""

from dataclasses import replace
from random import Random

import pytest

from nousu.engine import laws
from nousu.engine.actions import Call, Deal, Give, Play, Seal, Show
from nousu.engine.cards import HIDDEN, parse_card
from nousu.engine.game import Game
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import CHANCE, DIRECTOR
from nousu.games import games
from nousu.i18n import translator
from nousu.i18n.families import families
from nousu.i18n.sentences import Voice, card_words, note_with_clause, sentences, suit_words

SAY = translator("en")
NAMES = ("Aino", "Eero", "Kaisa", "Kerttu")
H9, SQ = parse_card("H9"), parse_card("SQ")


def voice(listener: int | None = 0, sides: int = 2) -> Voice:
    return Voice(NAMES, sides, listener, SAY)


SENTENCES = [
    ((CHANCE, Deal(((), ()))), "The cards are dealt."),
    ((1, Play(H9)), "Eero plays 9 of hearts."),
    ((1, Call("pass")), "Eero passes."),
    ((1, Call("sooli")), "Eero plays sooli."),
    ((2, Call("145")), "Kaisa bids 145."),
    ((2, Call("contract 150")), "Kaisa names a contract of 150."),
    ((2, Call("marriage H")), "Kaisa declares the marriage in hearts."),
    ((2, Call("ask half SQ")), "Kaisa asks for the other half to the queen of spades."),
    ((2, Call("yes S")), "Kaisa holds the marriage in spades."),
    ((3, Call("challenge E")), "Kerttu challenges the pictures of Eero."),
    ((3, Call("challenge E 2")), "Kerttu challenges the pictures of Eero."),
    ((DIRECTOR, Call("penalty IV2 S")), "Penalty for Kaisa under IV2."),
    ((3, Call("abracadabra")), "Kerttu says abracadabra."),
    ((1, Seal(HIDDEN)), "Eero lays a bid face down."),
    ((0, Seal(H9)), "Aino lays a bid face down: 9 of hearts."),
    ((0, Seal("rami")), "Aino lays a bid face down: Rami."),
    ((1, Show((H9, SQ))), "Eero shows 9 of hearts, queen of spades."),
    ((1, Give((HIDDEN,) * 3, 3)), "Eero gives Kerttu 3 cards."),
    ((1, Give((H9,), 0)), "Eero gives Aino 9 of hearts."),
    ((1, Give((HIDDEN,))), "Eero lays 1 card aside."),
    ((0, Give((H9,))), "Aino lays aside 9 of hearts."),
]


def test_sentence_of_each_kind_of_entry() -> None:
    for entry, text in SENTENCES:
        assert voice().sentence(entry) == text


OWN = [
    (Call("sooli"), "You play sooli."),
    (Call("145"), "You bid 145."),
    (Call("ask half SQ"), "You ask for the other half to the queen of spades."),
    (Call("challenge E 2"), "You challenge the pictures of Eero."),
    (Play(H9), "You play 9 of hearts."),
]


def test_sentence_about_the_listener_is_in_the_second_person() -> None:
    told = replace(voice(3), direct=True)
    for action, text in OWN:
        assert told.sentence((3, action)) == text
        assert not told.sentence((2, action)).startswith("You ")


def test_every_call_of_a_player_has_a_sentence_for_the_player(subtests: pytest.Subtests) -> None:
    for name, family in families().items():
        with subtests.test(family=name):
            by_players = {
                word for word, text in family.messages["calls"].items() if text.startswith("{name}")
            }
            assert family.messages["own_calls"].keys() == by_players


def test_trick_has_one_lead() -> None:
    plays = [(seat, Play(card)) for seat, card in ((0, H9), (1, SQ), (0, SQ), (1, H9))]
    two = Voice(("Aino", "Eero"), 0, None, SAY)
    assert [line.split()[1] for line in sentences(two, plays, [2, 2])] == ["leads", "plays", "leads", "plays"]
    assert [line.split()[1] for line in sentences(two, plays[:3], [2])] == ["leads", "plays", "leads"]


def test_side_is_named_for_the_listener() -> None:
    assert [voice(0).side(one) for one in (0, 1)] == ["our side", "their side"]
    assert [voice(3).side(one) for one in (0, 1)] == ["their side", "our side"]
    assert voice(None).side(1) == "Eero & Kerttu"
    assert voice(0, sides=0).side(2) == "Kaisa"


@pytest.mark.foreign_words
def test_note_is_filled_in() -> None:
    note = Note(
        "X-1", "{seat} led {card}: {points} for {side}", {"seat": 2, "card": "S10", "points": 4, "side": 0}
    )
    assert voice().note(note) == "Kaisa led 10 of spades: 4 for our side"


def test_note_value_is_translated_by_its_name() -> None:
    """A person called DA is no ace of diamonds, and a suit is no letter."""
    assert (
        voice().note(Note("", "{name} has already withdrawn", {"name": "DA"})) == "DA has already withdrawn"
    )
    trumps = Note("", "A marriage in hand: {suit} are trumps", {"suit": "H"})
    assert voice().note(trumps) == "A marriage in hand: hearts are trumps"
    assert note_with_clause(trumps, translator("fi")).endswith("valtti on hertta")
    won = sentence("{side} wins with {points} point", "{side} wins with {points} points")
    why = Note("X-1", won, {"side": 0, "points": 52})
    assert voice().note(why) == "Our side wins with 52 points"
    assert voice().note(
        Note("", "the slip names {named} as winner, but: {why}", {"named": "B", "why": why})
    ) == ("The slip names B as winner, but: our side wins with 52 points")


def test_card_has_a_name() -> None:
    assert card_words(parse_card("DA"), SAY) == "ace of diamonds"
    assert card_words(HIDDEN, SAY) == "a hidden card"
    assert [suit_words(suit, SAY) for suit in range(4)] == ["spades", "hearts", "diamonds", "clubs"]


@pytest.mark.parametrize("game", [pytest.param(game, id=game.name) for game in games().values()])
def test_call_of_every_game_has_a_sentence_and_a_label(game: Game) -> None:
    """Random hands of every preset from every chair: no word is merely "said", no secret slips out."""
    rng = Random(4)
    for preset, rules in game.presets.items():
        seats = min(4, game.seats.stop - 1)
        for _, hand in laws.random_match(game, rules, seats, rng, hands=6):
            for seat in range(seats):
                for action in hand.legal(seat):
                    label = voice(seat, game.sides).choice(action)
                    assert label and "{" not in label
                    if isinstance(action, Call) and not action.word.isdecimal():
                        said = voice(seat, game.sides).sentence((seat, action))
                        assert " says " not in said or action.word in ("yes", "no"), f"{preset}: {action}"
                        assert label != action.word.capitalize() or " " not in action.word, label
            if hand.result() is None:
                continue
            for listener in (*range(seats), None):
                view = hand.view(listener)
                sizes = [len(trick.plays) for trick in view.tricks]
                lines = sentences(voice(listener, game.sides), view.heard, sizes)
                assert len(lines) == len(view.heard)
                assert not any("??" in line or "{" in line for line in lines)
