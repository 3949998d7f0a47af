"""Computer players at one table of a simulated event, from the cards to the result."""

from random import Random

from nousu.engine.match import Match
from nousu.games import find, whist
from nousu.games.tuppen import Standing
from nousu.players import Budget, load_player
from nousu.players.seat_loop import advance, derive_seed
from nousu.tournament.form_fields import LETTERS
from nousu.tournament.simulation import Job, SimulatedResult

BUDGET = Budget(seconds=0.2, worlds=8)
"""Budget of a searching player for a move here: an event has thousands."""


def play(job: Job) -> SimulatedResult:
    """Play a table to its end."""
    if job.kind == "tuppen":
        games = [_match(job, job.seats, game) for game in range(job.games)]
        orders = []
        for match in games:
            places = Standing.of(match.tally).places
            order = sorted(range(len(places)), key=places.__getitem__)
            orders.append("".join(LETTERS[seat] for seat in order))
        return SimulatedResult(tuple(orders), tuple(len(match.played) for match in games))
    around = (*job.seats, *job.seats) if len(job.seats) == 2 else job.seats
    if job.kind == "tuppi":
        match = _match(job, around, 0)
        words = tuple(
            _word(whist.Outcome.of(played.result.outcome).scorer, max(played.result.points))
            for played in match.played
        )
        return SimulatedResult(words, (len(words),))
    return _drive(job, around)


def _word(scorer: int | None, points: int) -> str:
    """A hand as the sheet writes it; a hand broken off books no points."""
    assert scorer is not None, "where one side rises every hand is somebody's"
    return "AB"[scorer] + (str(points) if points else "")


def _match(job: Job, players: tuple[str, ...], number: int, hands: int = 0) -> Match:
    """A match of these computer players, drawn and played out (or this many hands of it)."""
    game, rules = find(job.preset + ("+limit_tiebreak=[other_criterion,extra_hands]" if job.decided else ""))
    seed = derive_seed(job.seed, number)
    pack = list(game.deck)
    Random(derive_seed(seed, "draw")).shuffle(pack)
    seating = game.draw(rules, len(players), pack, 0)
    match = Match.start(game, rules, len(players), seating.dealer)
    company = [load_player(name) for name in players]
    while not hands or sum(not hand.result.void for hand in match.played) < hands:
        after = advance(match, company, seed, BUDGET)
        if after is None:
            break
        match = after
    return match


def _drive(job: Job, players: tuple[str, ...]) -> SimulatedResult:
    """Play this many hands of a game that adds up; the next game begins when the target is reached."""
    scores, done, number = [0, 0], 0, 0
    wanted = job.hands or 8
    while done < wanted:
        match = _match(job, players, number, wanted - done)
        number += 1
        for played in match.played:
            done += not played.result.void
            scores = [scores[side] + played.result.points[side] for side in (0, 1)]
    return SimulatedResult(tuple(map(str, scores)), (wanted,))
