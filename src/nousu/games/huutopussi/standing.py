"""Points of a hand of Huutopussi, and the score between hands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nousu.engine.game import Result, Setup
from nousu.engine.messages import Note, sentence
from nousu.engine.seats import Seat, left, side
from nousu.engine.tricks import Trick
from nousu.games.huutopussi.facts import Marriage, Outcome, PlayedHand
from nousu.games.huutopussi.rules import Rules, card_values


def tricks_taken(done: tuple[Trick, ...]) -> tuple[int, int]:
    """Tricks of each side."""
    odd = sum(side(trick.winner) for trick in done)
    return len(done) - odd, odd


def trick_points(rules: Rules, done: tuple[Trick, ...]) -> tuple[int, int]:
    """Card points each side has taken in these tricks, without the last trick's bonus."""
    sums, worth = [0, 0], card_values(rules.card_values)
    for trick in done:
        sums[trick.winner & 1] += sum([worth[card] for _, card in trick.plays])
    return sums[0], sums[1]


def marriage_points(marriages: tuple[Marriage, ...]) -> tuple[int, int]:
    """Points of the marriages each side has declared (HP-GR-28, HP-GR-29)."""
    odd = sum(marriage.points for marriage in marriages if side(marriage.by))
    return sum(marriage.points for marriage in marriages) - odd, odd


def rounded(rules: Rules, earned: int) -> int:
    """Earned points as they are booked where no contract counts (A-H-20)."""
    return (earned + 2) // 5 * 5 if rules.defender_rounding == "nearest5" else earned


def times(rules: Rules, declaring: int, made: bool, tricks: tuple[int, int], doublings: int) -> int:
    """Factor by which the declarers book what their contract brings, after this many kontras and res.

    Each doubles it, but for one where the contract was missed although the defenders took no trick; and none
    does what declarers without a trick lose where a table wants it so. HP-WU-11, HP-WU-15, A-H-24.

    >>> times(Rules(kontra=9), 0, True, (6, 3), 2)
    4
    """
    if not tricks[declaring] and rules.kontra_trickless == "plain":
        return 1
    return 1 << doublings - (doublings > 0 and not made and not tricks[1 - declaring])


def score(
    rules: Rules,
    declaring: int | None,
    bid: int,
    contract: int,
    earned: tuple[int, int],
    tricks: tuple[int, int],
    doublings: int = 0,
) -> tuple[int, int]:
    """Points of both sides for what they earned: the contract made, missed or without a trick.

    `declaring` is the declarer's side, None in a hand without a contract (A-H-19). HP-GR-30, HP-GR-31,
    HP-GR-32, A-H-02, A-H-03. The `doublings` change what the declarers book (`times`), and nothing for the
    defenders (HP-WU-12).

    >>> score(Rules(), 0, 100, 120, (130, 70), (6, 3))
    (120, 70)
    """
    if declaring is None:
        return rounded(rules, earned[0]), rounded(rules, earned[1])
    points, other = [0, 0], 1 - declaring
    made = earned[declaring] >= contract
    if made:
        points[declaring] = contract
    elif tricks[declaring] == 0:
        points[declaring] = -contract * (2 if rules.trickless_declarer == "minus_double_contract" else 1)
    else:
        points[declaring] = -contract if rules.failed_contract == "minus_contract" else 0
    points[declaring] *= times(rules, declaring, made, tricks, doublings)
    loss = {
        "zero": 0,
        "minus_bid": bid,
        "minus_contract": contract,
        "minus_double_contract": 2 * contract,
        "minus_double_if_made": 2 * contract * made,
    }
    points[other] = rounded(rules, earned[other]) if tricks[other] else -loss[rules.trickless_defenders]
    return points[0], points[1]


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals of both sides, which may go below zero (HP-GR-33), until one reaches the target."""

    rules: Rules
    points: tuple[int, int] = (0, 0)
    hands: int = 0
    end: tuple[int, ...] | None = None
    last: tuple[Note, ...] = ()

    def add(self, result: Result, setup: Setup) -> "Totals":
        """The totals after a hand, and whether they end the match (HP-GR-34, A-H-17)."""
        rules = self.rules
        now = (self.points[0] + result.points[0], self.points[1] + result.points[1])
        least = rules.target + (rules.win_condition == "exceed")
        there = [team for team in (0, 1) if now[team] >= least]
        outcome = Outcome.of(result.outcome)
        declarer = outcome.declarer if isinstance(outcome, PlayedHand) else None
        end: tuple[int, ...] | None = None
        clause, message, best = "HP-GR-34", "", 0 if now[0] > now[1] else 1
        if len(there) == 1:
            end, message = (
                (there[0],),
                sentence(
                    "{side} wins with {points} point against {other}",
                    "{side} wins with {points} points against {other}",
                ),
            )
        elif there and rules.both_reach == "declarer_first" and declarer is not None:
            end, message = (
                (side(declarer),),
                sentence("Both sides have reached the target: {side} wins as the declarer’s side"),
            )
        elif there and now[0] != now[1]:
            end, message = (
                (best,),
                sentence("Both sides have reached the target: {side} wins with {points} against {other}"),
            )
        elif there and rules.equal == "draw":
            end, message = (
                (),
                sentence(
                    "Both sides have reached the target with {points} point: the match is drawn",
                    "Both sides have reached the target with {points} points: the match is drawn",
                ),
            )
        elif there:
            message = sentence(
                "Both sides have reached the target with {points} point: another hand decides",
                "Both sides have reached the target with {points} points: another hand decides",
            )
        clause = "A-H-17" if len(there) == 2 else clause
        named = end[0] if end else best
        values = {"side": named, "points": now[named], "other": now[1 - named]}
        notes = (Note(clause, message, values),) if message else self._barred_notes(now)
        return Totals(rules, now, self.hands + 1, end, notes)

    def _barred_notes(self, now: tuple[int, int]) -> tuple[Note, ...]:
        """Notes on sides that have just been barred from bidding (HP-GR-33)."""
        ban = self.rules.bid_ban
        if ban == "off":
            return ()
        fallen = [team for team in (0, 1) if now[team] <= ban < self.points[team]]
        message = sentence("{side} is at {points} and may no longer bid freely")
        return tuple(Note("HP-GR-33", message, {"side": team, "points": now[team]}) for team in fallen)

    def dealer(self, setup: Setup) -> Seat:
        """The deal moves one seat left (HP-GR-03)."""
        return left(setup.dealer, 4)

    def score(self) -> tuple[int, ...]:
        return self.points

    def winner(self) -> tuple[int, ...] | None:
        return self.end

    @classmethod
    def read(cls, rules: Rules, seats: int, plain: Mapping[str, Any]) -> "Totals":
        """The score whose `plain` form this is; KeyError or ValueError where it is none."""
        one, two = plain["score"]
        return cls(rules, (one, two), plain["hands"])

    def plain(self) -> Mapping[str, Any]:
        return {"score": list(self.points), "hands": self.hands, "target": self.rules.target}

    def notes(self) -> tuple[Note, ...]:
        return self.last
