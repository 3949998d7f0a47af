"""The searching player of Huutopussi asks its partner only what can be affirmed, and plays for the match."""

from dataclasses import replace
from random import Random

from nousu.engine.actions import Call
from nousu.engine.game import Setup
from nousu.engine.match import Match
from nousu.engine.seats import CHANCE, side
from nousu.games import find
from nousu.games.huutopussi import AskFull, AskHalf, Contract, No, Totals, call_of, said
from nousu.players import Budget, named
from nousu.players.huutopussi.searcher import may_succeed, stake_of
from nousu.players.searcher import imagined


def after_a_denial(seed):
    """Views of seats that may ask again what their partner has denied in this hand, with the question."""
    family, rules = find("huutopussi")
    rng = Random(seed)
    for _ in range(300):
        match = Match.start(family, rules, 4).deal(rng)
        denied = {}
        asked = None
        while not match.played and match.hand.owed() != (CHANCE,):
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            for action in view.legal:
                if action in denied.get(seat, ()):
                    yield view, action
            action = rng.choice(view.legal)
            word = said(action) if hasattr(action, "word") else None
            if isinstance(word, AskFull | AskHalf):
                asked = (seat, action)
            elif asked and action == call_of(No()):
                denied.setdefault(asked[0], []).append(asked[1])
            match = match.apply(seat, action)


def test_what_was_denied_is_not_asked_again():
    found = 0
    for view, action in after_a_denial(1):
        worlds = imagined(view, 8, Random(2))
        marriages = view.facts.marriages
        if isinstance(said(action), AskHalf) and worlds:
            assert not may_succeed(view, action, worlds), (action, marriages)
            found += 1
        if found == 20:
            return
    raise AssertionError(f"only {found} such moments were met")


def test_cards_and_declarations_are_never_held_back():
    family, rules = find("huutopussi")
    match = Match.start(family, rules, 4).deal(Random(3))
    while match.hand.view(None).phase != "play":
        seat = match.hand.owed()[0]
        match = match.apply(seat, named("rules").choose(match.hand.view(seat), None, 1).action)
    view = match.hand.view(match.hand.owed()[0])
    assert all(may_succeed(view, action, []) for action in view.legal if not hasattr(action, "word"))


def declared(points, seed, until):
    """A hand from this score, played by rules of thumb up to a phase; the view of who is on turn."""
    family, rules = find("huutopussi")
    start = family.start(rules, Setup(4, 0, Totals(rules, points, 6)))
    match = replace(Match.start(family, rules, 4), hand=start, tally=start.setup.tally).deal(Random(seed))
    while match.hand.owed() != (CHANCE,):
        seat = match.hand.owed()[0]
        view = match.hand.view(seat)
        if view.facts.phase == until:
            return view
        match = match.apply(seat, named("rules").choose(view, None, 1).action)
    return None


def test_who_needs_ten_points_promises_no_more_than_the_auction_asks():
    """Every contract made wins the match there, so the safest is right; at the beginning more is promised."""
    at_the_end, at_the_start = [], []
    for seed in range(6):
        for points, found in (((490, 0), at_the_end), ((0, 490), at_the_end), ((0, 0), at_the_start)):
            view = declared(points, seed, "contract")
            if view is not None and (points == (0, 0) or points[side(view.seat)]):
                chosen = said(named("searcher").choose(view, Budget(0.05, 2), 1).action).points
                found.append((chosen, min(word.points for word in words(view) if isinstance(word, Contract))))
    assert at_the_end and all(chosen == least for chosen, least in at_the_end)
    assert any(chosen > least for chosen, least in at_the_start)


def words(view):
    return [said(action) for action in view.legal if isinstance(action, Call)]


def test_a_contract_is_worth_more_where_it_wins_the_match():
    """Both sides value it alike, with opposite signs; where it brings the declarer's side home little else
    counts."""
    compared = 0
    for seed in range(6):
        level, last = declared((0, 0), seed, "play"), declared((490, 0), seed, "play")
        if level is None or last is None or side(last.facts.declarer):
            continue
        for view in (level, last):
            sign = 1 if side(view.facts.declarer) == side(view.seat) else -1
            assert sign * stake_of(view) > 0
        assert abs(stake_of(last)) / last.facts.contract > abs(stake_of(level)) / level.facts.contract
        compared += 1
    assert compared
