"""Rule pages that teach: true at every table, proven clause by clause, the same in every language."""

import re
from collections.abc import Iterator
from itertools import chain
from math import comb, sqrt
from random import Random
from typing import Any

import pytest

from nousu.engine.actions import Call, Play
from nousu.engine.cards import parse_card
from nousu.engine.errors import BadRules
from nousu.engine.game import Game
from nousu.engine.match import Match, shuffled
from nousu.engine.messages import Note
from nousu.engine.options import options, override, value_text
from nousu.engine.seats import CHANCE
from nousu.engine.tricks import Trick
from nousu.extensions import Point, extension, extension_module
from nousu.games import find, games, whist
from nousu.games.huutopussi.rules import marriage_values
from nousu.games.huutopussi.standing import score, trick_points
from nousu.games.tuppen.facts import Won
from nousu.i18n import LANGUAGES, translator
from nousu.i18n.reader import Reader
from nousu.server.pages.learn.rulebook import rulebook
from nousu.teaching.clauses import clauses, rule_sources
from nousu.teaching.page import ClauseFilter, Examples, NumberTable, PageSection, block_notes, sections
from nousu.teaching.tip_figures import FIGURES
from nousu.teaching.worked_hand import RECORDS, HandComments, worked_example

PRESETS = [
    (game, preset)
    for game in games().values()
    if extension_module(Point.TEACHING, game.name)
    for preset in game.presets
]
NUMBER = re.compile(r"\d+")
FIXED = {
    "huutopussi": {"36", "10", "9", "8", "7", "6"},
    "tuppen": {"32", "2024"},
    "whist": {"52", "13", "10", "2", "3", "5", "4", "1", "8", "12", "14", "15"},
}
"""The numbers in the sentences themselves (cards, ranks, tricks, honours); no option changes them."""


def page(game: Game, rules: Any, preset: str) -> tuple[PageSection, ...]:
    """A page that has to be there."""
    found = sections(game, rules, preset)
    assert found, f"no page teaches {preset}"
    return found


def page_notes(found: tuple[PageSection, ...]) -> Iterator[Note]:
    """Every sentence of a page."""
    for section in found:
        for block in section.blocks:
            yield from block_notes(block)


def neighbours(game: Game, preset: str) -> Iterator[tuple[str, Any]]:
    """The rules of a preset and, one option after another, each of their neighbours that is possible."""
    standard = game.presets[preset]
    yield preset, standard
    for item in options(standard):
        if item.values is not None:
            tried = [value_text(value) for value in item.values][:12]
        elif item.items is not None:
            tried = [f"[{one}]" for one in item.items]
        else:
            low, high = item.low or 0, item.high or 0
            tried = [str(low), str((low + high) // 2), str(high)] + ["none"] * item.none
        for value in tried:
            try:
                yield f"{preset}+{item.name}={value}", override(standard, {item.name: value})
            except BadRules:
                continue


def test_rule_page_of_a_preset_has_every_rule_of_its_sources() -> None:
    reached: dict[str, set[str]] = {}
    for game, preset in PRESETS:
        standard, files = rule_sources(game.name, preset)
        if standard != preset:
            continue
        force = ClauseFilter.for_rules(game, game.presets[preset], preset)
        cited = {id for note in page_notes(page(game, game.presets[preset], preset)) for id in force(note)}
        for file in files:
            reached.setdefault(file, set()).update(cited)
    lacking = [
        one.id
        for one in clauses().values()
        if one.kind == "rule" and one.source in reached and one.id not in reached[one.source]
    ]
    assert lacking == []


def test_rule_page_cites_no_clause_that_is_not_in_force(subtests: pytest.Subtests) -> None:
    for game, preset in PRESETS:
        with subtests.test(game=game, preset=preset):
            for text, rules in neighbours(game, preset):
                force = ClauseFilter.for_rules(game, rules, preset)
                for note in page_notes(page(game, rules, preset)):
                    assert not force.altered & set(force(note)), (text, note)
                    assert note.english  # every place is filled


def test_rule_page_has_no_number_of_its_own(subtests: pytest.Subtests) -> None:
    """Numbers come from the rules or the engine, but for those no option changes."""
    for game, preset in PRESETS:
        with subtests.test(game=game, preset=preset):
            for _, rules in neighbours(game, preset):
                for note in page_notes(page(game, rules, preset)):
                    assert set(NUMBER.findall(note.message)) <= FIXED[game.name], note.message


def test_rule_page_table_of_scores_is_the_engine_s() -> None:
    """Row by row: pay by tricks, in every preset with every option changed."""
    for preset in whist.PRESETS:
        for text, rules in neighbours(whist.GAME, preset):
            found = page(whist.GAME, rules, preset)
            (table,) = [block for one in found for block in one.blocks if isinstance(block, NumberTable)]
            sides = {
                "taken by its bidders": ("high", 0, 0),
                "taken by the others": ("high", 1, 0),
                "lost by its bidders": ("high", 1, 1),
                "to the side with fewer": ("low", None, 1),
                "from the side with more": ("low", None, 0),
            }
            for row in table.rows:
                kind, bidder, paid = sides[row.label.message.partition(", ")[2]]
                for tricks, cell in zip(table.head, row.cells, strict=True):
                    assert whist.score(rules, kind, bidder, (tricks, 13 - tricks))[paid] == cell, text  # type: ignore[arg-type]


def test_rule_page_of_huutopussi_has_the_points_of_the_engine() -> None:
    """Cards, marriages, the last trick and a missed contract, in every preset with every option changed."""
    game = games()["huutopussi"]
    for preset in game.presets:
        for text, rules in neighbours(game, preset):
            found = page(game, rules, preset)
            numbers = [block for one in found for block in one.blocks if isinstance(block, NumberTable)]
            cards, couples = numbers[:2]
            for rank, cell in zip(cards.head, cards.rows[0].cells, strict=True):
                card = parse_card(f"S{rank}")
                taken = trick_points(rules, (Trick(1, ((1, card),), 1),))
                assert taken == (0, cell), (text, rank)
            for suit, cell in zip(couples.head, couples.rows[0].cells, strict=True):
                assert marriage_values(rules)["♠♥♦♣".index(str(suit))] == cell, (text, suit)
            answer = " ".join(note.english for note in page_notes(found))
            assert f"The last trick counts {rules.last_trick}." in answer, text
            missed, _ = score(rules, 0, 100, 120, (90, 30), (4, 5))
            assert ("it falls short, it loses the contract" in answer) == (missed == -120), text
            made, others = score(rules, 0, 100, 120, (131, 32), (4, 5))
            assert made == 120 and "scores the contract if it has reached it, and never more" in answer
            assert ("to the nearest five" in answer) == (others == 30), text


def test_rule_page_of_tuppen_has_the_costs_of_real_hands() -> None:
    """The table of costs holds for hands with many raises, in every preset with every option changed."""
    game = games()["tuppen"]
    seen: set[tuple[str, int]] = set()
    tables = [(preset, rules) for preset in game.presets for _, rules in neighbours(game, preset)]
    for number, (preset, rules) in enumerate(tables):
        blocks = [block for section in page(game, rules, preset) for block in section.blocks]
        costs = [block for block in blocks if isinstance(block, NumberTable)]
        none = (rules.start_points, rules.raise_cap != "points_plus_one") == (1, True)
        assert costs or none or rules.game_form == "eight_cards", preset
        if not costs:
            continue
        (table,) = costs
        lose, leave = (dict(zip(table.head, row.cells, strict=True)) for row in table.rows)
        seats = 4 if 4 in game.seats_for(preset) else game.seats_for(preset).start
        start, rng = Match.start(game, rules, seats), Random(number)
        for kind, stake, paid in chain.from_iterable(_paid(start, rng, share) for share in (0.02, 0.1, 0.5)):
            row = lose if kind == "lose" else leave
            if stake in row:
                assert row[stake] == paid, (preset, rules, kind, stake)
                seen.add((kind, stake))
    assert seen >= {("lose", 2), ("lose", 3), ("leave", 2), ("leave", 3)}


def test_examples_of_tuppen_are_hands_that_can_be_played() -> None:
    """No stake that nobody may raise to, and no loss of points that nobody has."""
    for cap in ("points", "points_plus_one", "none"):
        for points in range(1, 8):
            changed = f"start_points={points}+raise_cap={cap}+poor_man=off+poor_playoff=off"
            game, rules = find(f"tuppen_zk+{changed}")
            highest = points + (cap == "points_plus_one")
            blocks = [block for section in page(game, rules, "tuppen_zk") for block in section.blocks]
            (examples,) = [block for block in blocks if isinstance(block, Examples)]
            named = [item for note in examples.notes for item in note.values.items()]
            stakes = [value for key, value in named if key != "points"]
            costs = [note.values["points"] for note in examples.notes]
            assert all(stake <= highest for stake in stakes), (cap, points)
            assert all(cost <= points for cost in costs), (cap, points)
            assert len(examples.notes) == (1 if highest < 2 else 2 if highest < 3 else 3)
            tables = [block for block in blocks if isinstance(block, NumberTable)]
            assert len(tables) == (highest > 1)
            for table in tables:
                assert list(table.head) == [stake for stake in (2, 3, 4, 5) if stake <= highest]
                assert all(cell <= points for row in table.rows for cell in row.cells)


def test_examples_of_huutopussi_name_contracts_that_can_be_bid() -> None:
    for lowest in range(20, 201, 20):
        game, rules = find(f"huutopussi+min_bid={lowest}")
        blocks = [block for section in page(game, rules, "huutopussi") for block in section.blocks]
        (examples,) = [block for block in blocks if isinstance(block, Examples)]
        made, missed, trickless = (note.values for note in examples.notes)
        assert min(made["contract"], missed["contract"], trickless["contract"]) >= lowest
        assert made["us"] == made["contract"] <= made["own"]
        assert missed["own"] < missed["contract"] == -missed["us"]


def _paid(match: Match, rng: Random, eager: float) -> Iterator[tuple[str, int, int]]:
    """The costs of one random hand: for leaving a raise to a stake, and for losing with a stake.

    Players raise in the share `eager` of their chances. Only players with enough points count, and no hand
    with a poor man.
    """
    hand: Any = match.hand
    while not match.played:
        owed = hand.owed()
        facts = hand.view(None).facts
        if owed == (CHANCE,):
            match = match.apply(CHANCE, shuffled(hand.dealing(), rng))
            hand = match.hand
            continue
        raisers = [seat for seat in range(match.seats) if Call("raise") in hand.legal(seat)]
        if raisers and rng.random() < eager:
            seat, action = rng.choice(raisers), Call("raise")
        else:
            seat = rng.choice(owed)
            legal = hand.legal(seat)
            action = Call("hold") if Call("hold") in legal and rng.random() < 0.8 else rng.choice(legal)
        match = match.apply(seat, action)
        if not match.played and facts.phase == "raise" and seat in facts.asked and not facts.poor:
            after = match.hand.view(None).facts
            left = seat not in after.in_hand and seat in facts.in_hand and after.points[seat] > 0
            if left and not facts.behind:  # who has yet to go along with an earlier raise pays less (A-U-34)
                yield "leave", facts.stake + 1, after.paid[seat] - facts.paid[seat]
        hand = match.hand
    outcome = match.played[0].result.outcome
    ended = match.tally.plain().get("hung")  # a half is over, and all have their points again
    if isinstance(outcome, Won) and outcome.kind == "regular" and not outcome.poor and not ended:
        points = match.played[0].tally.points
        for seat in outcome.ladder[1:]:
            if points[seat] > 0:
                yield "lose", outcome.stake, outcome.before[seat] - points[seat]


def test_rule_page_has_a_changed_number_instead_of_the_usual_one() -> None:
    for option, usual, other in (
        ("target", "52", "61"),
        ("sooli_points", "24", "37"),
        ("max_hands", "", "23"),
    ):
        game, rules = find(f"tuppi+{option}={other}")
        text = " ".join(note.english for note in page_notes(page(game, rules, "tuppi")) if note.values)
        assert re.search(rf"\b{other}\b", text)
        assert not usual or not re.search(rf"\b{usual} points\b", text)


@pytest.mark.parametrize(("game", "preset"), PRESETS, ids=[preset for _, preset in PRESETS])
def test_rule_page_has_the_same_headings_and_numbers_in_five_languages(game: Game, preset: str) -> None:
    found = page(game, game.presets[preset], preset)

    def numbers(language: str) -> list[list[str]]:
        say = translator(language)
        return [sorted(NUMBER.findall(say(note.message, **note.values))) for note in page_notes(found)]

    for language in LANGUAGES:
        say = translator(language)
        headings = [say(section.heading) for section in found]
        assert len(set(headings)) == len(found) and all(headings)
        for ours, english, note in zip(numbers(language), numbers("en"), page_notes(found), strict=True):
            assert ours == english, (language, note.message)


def test_worked_hand_is_replayed_by_the_rules_of_its_page(subtests: pytest.Subtests) -> None:
    for game, preset in PRESETS:
        with subtests.test(game=game, preset=preset):
            shown = worked_example(game, game.presets[preset], preset)
            assert shown is not None and shown.by_own_rules
            assert shown.played.hand.result() is not None
            assert len(shown.played.hand.view(None).tricks) >= 4


def test_worked_hand_leaves_out_no_event_of_its_record(subtests: pytest.Subtests) -> None:
    """Every line of the record but the deal is a sentence or a card on the page, once and in its order."""
    for game, preset in PRESETS:
        with subtests.test(game=game, preset=preset):
            shown = worked_example(game, game.presets[preset], preset)
            assert shown is not None
            log = [entry for entry in shown.played.hand.log if entry[0] != CHANCE]
            parts = [part for step in shown.steps for part in step.parts]
            assert [*shown.before, *chain.from_iterable(chain(talk, plays) for talk, plays in parts)] == log
            assert tuple(step.trick for step in shown.steps) == shown.played.hand.view(None).tricks
            plays = sum(isinstance(action, Play) for _, action in log)
            for language in LANGUAGES:
                reader = Reader.of(language)
                hand = rulebook(game, game.presets[preset], preset, reader).worked
                assert hand is not None
                lines = [line for step in hand.steps for talk, _ in step.parts for line in talk]
                assert len(hand.before) + len(lines) == len(log) - plays
                assert sum(len(cards) for step in hand.steps for _, cards in step.parts) == plays
                assert all((*hand.before, *lines, *hand.result))


def test_worked_hand_counts_by_the_numbers_of_the_table() -> None:
    game, rules = find("tuppi+high_points=5")
    shown = worked_example(game, rules, "tuppi")
    assert shown is not None and shown.by_own_rules and shown.played.result.points == (15, 0)


def test_worked_hand_that_a_table_forbids_is_by_its_preset() -> None:
    game, rules = find("tuppi+high_colour=black")
    shown = worked_example(game, rules, "tuppi")
    assert shown is not None and not shown.by_own_rules and shown.rules == game.presets["tuppi"]


def test_worked_hand_comments_belong_to_tricks_of_records() -> None:
    for game in games().values():
        family = extension(HandComments, Point.TEACHING, game.name)
        remarks = family.COMMENTS if family else {}
        seen = set()
        for preset in game.presets:
            shown = worked_example(game, game.presets[preset], preset)
            for number, trick in enumerate(shown.played.hand.view(None).tricks if shown else (), 1):
                best = next(card for seat, card in trick.plays if seat == trick.winner)
                seen.add((number, str(trick.plays[0][1]), str(best)))
        assert set(remarks) <= seen


def test_worked_hand_records_are_one_for_each_preset() -> None:
    assert {path.stem for path in RECORDS.glob("*.nousu")} == {
        one for game in games().values() for one in game.presets
    }


def test_tip_figure_of_marriages_is_what_arithmetic_says() -> None:
    """Hands of nine out of 36 cards with at least one of four couples, by inclusion and exclusion."""
    for name, size in (("marriage_own", 9), ("marriage_pair", 18)):
        exact = sum((-1) ** (k + 1) * comb(4, k) * comb(36 - 2 * k, size - 2 * k) for k in range(1, 5))
        share = exact / comb(36, size)
        figure = FIGURES[name]
        error = sqrt(share * (1 - share) / figure.of)
        assert abs(figure.times / figure.of - share) < 4 * error
