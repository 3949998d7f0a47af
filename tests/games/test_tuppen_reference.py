"""A second referee of Tuppen, written as one straight procedure, agrees with the first at every step.

It knows cards as text and players as numbers in lists, tells a hand and a game as generators that wait for
the next thing said, and shares no code with the rules. It walks beside random games under random options
(with a director who books penalties where they say so) and counts the trees of tests/perft/tuppen.perft.
"""

import os
from collections.abc import Generator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nousu.engine.laws import random_actor
from nousu.engine.match import Match
from nousu.engine.options import options
from nousu.engine.seats import DIRECTOR
from nousu.games import find
from nousu.games.tuppen import GAME, PRESETS, Rules

RANKS = ["J", "Q", "K", "A", "7", "8", "9", "10"]
SUITS = ["D", "H", "S", "C"]
Wait = tuple[int, dict[int, set[str]]]
"""The seat on turn (-1: the deal), and the legal actions of all seats."""
Said = tuple[int, str]
"""Who has said what. A penalty is told to the story as ``(DIRECTOR, "")`` once it is paid."""


def plain(text: str) -> str:
    """An action with its cards in one order."""
    words = text.split()
    return " ".join([words[0], *sorted(words[1:])]) if words[0] in ("give", "show") else text


class DealtAgain(Exception):
    """The cards are thrown together: a misdeal, or four pictures where they are a ground for it."""


class PlainHand:
    """One hand: who plays, from how many points, told from the deal to the winner."""

    def __init__(
        self,
        rules: Any,
        seats: int,
        kind: str,
        group: list[int],
        dealer: int,
        points: list[int],
        led: set[int],
    ) -> None:
        self.rules, self.kind, self.dealer, self.led = rules, kind, dealer, led
        self.points = list(points)
        self.round = [(dealer + 1 + step) % seats for step in range(seats)]
        self.inn = [seat for seat in self.round if seat in group]
        self.eight = kind == "regular" and rules.eight_card_endgame and len(group) == 2
        self.eight = self.eight or (kind == "eight" and len(group) < 5)
        self.hands: dict[int, list[str]] = {}
        self.stock: list[str] = []
        self.packets: list[list[Any]] = []
        self.stake, self.last, self.raised, self.poor = 1, -1, set[int](), list[int]()
        self.killed: list[int] = []
        self.start, self.fines = list(points), [0] * seats
        self.redealt = self.booked = False
        self.along: dict[int, int] = {}
        self.dared = -1
        self.final: dict[int, str] = {}
        self.played: set[int] = set()
        self.revokers_done: set[int] = set()
        self.ladder: list[int] = []
        self.names = "NESW" if seats == 4 else [f"P{seat + 1}" for seat in range(seats)]
        self.story = self.tell()
        self.wait: Wait | None = next(self.story)

    def do(self, seat: int, text: str) -> None:
        """Somebody does something."""
        assert self.wait is not None and (seat < 0 or plain(text) in self.wait[1][seat])
        try:
            self.wait = self.story.send((seat, text))
        except StopIteration:
            self.wait = None

    def after(self, seat: int) -> list[int]:
        """Who is in the hand, clockwise after a seat."""
        at = self.round.index(seat)
        return [other for other in self.round[at + 1 :] + self.round[:at] if other in self.inn]

    def tell(self) -> Generator[Wait, Said, None]:
        rules = self.rules
        blind: list[int] = []
        if rules.blind_raise and self.kind == "regular" and not self.eight:
            poor = [seat for seat in self.inn if self.points[seat] == 1] if rules.poor_man != "off" else []
            self.stake = (1 + len(poor) if rules.poor_man == "per_poor" else 2) if poor else 1
            self.poor = poor
            asks = rules.poor_man == "ask_two" and 0 < len(poor) < len(self.inn)
            self.last = poor[0] if asks else -1
            bold = [seat for seat in self.inn if self.may_raise(seat, seat, 1)]
            if rules.two_to_three and self.stake > 1:
                bold = []
            self.stake, self.poor, self.last = 1, [], -1
            for seat in bold:
                who, said = yield seat, self.only(seat, {"look", "blind"})
                if who == DIRECTOR:
                    self.booked = True
                    return
                if said == "blind":
                    blind.append(seat)
                    if rules.two_to_three:
                        break
        who, deal = yield -1, self.only(-1, set())
        if who == DIRECTOR:
            self.booked = True
            return
        self.cards(deal)
        try:
            unseen = [] if rules.two_to_three else blind
            yield from self.pictures([seat for seat in self.inn if seat not in unseen])
            leader = self.inn[0]
            for ask in (self.poor_men, lambda: self.blind_raises(blind)):
                if len(self.inn) > 1:
                    found = yield from ask()
                    leader = leader if found is None else found
            yield from self.tricks(leader)
        except DealtAgain:
            self.redealt = True
            return
        self.ladder = self.ladder or list(self.inn)
        self.paid, self.gone = list(self.points), list(self.killed)
        self.settle()

    def listen(self, seat: int, may: dict[int, set[str]]) -> Generator[Wait, Said, Said]:
        """The next thing said. A penalty is paid here (A-U-21)."""
        who, text = yield seat, may
        if who != DIRECTOR:
            return who, text
        _, rule, name = text.split()
        guilty = self.names.index(name)
        out = rule == "IV7" and guilty in self.inn
        due = self.rules.penalty_points + (min(self.stake, self.along.get(guilty, self.stake)) if out else 0)
        living = [other for other, points in enumerate(self.points) if points]
        noted = living == [guilty] and self.points[guilty] <= due  # it would kill the last one
        self.fine(guilty, 0 if noted else due)
        if out and guilty in self.inn:
            self.inn.remove(guilty)
        if rule == "IV4":
            raise DealtAgain
        return DIRECTOR, ""

    def answer(self, seat: int, may: set[str], raiser: int = -1) -> Generator[Wait, Said, str]:
        """What a player who is asked says; nothing if he is out or the others are.

        A raise may be among it, as long as his points allow it.
        """
        while seat in self.inn and len(self.inn) > 1:
            again = {"raise"} if raiser >= 0 and self.may_raise_again(seat, raiser) else set()
            who, said = yield from self.listen(seat, self.only(seat, may | again))
            if who != DIRECTOR:
                return said
        return ""

    def fine(self, seat: int, due: int) -> None:
        paid = min(due, self.points[seat])
        self.points[seat] -= paid
        self.fines[seat] += paid
        if paid and self.points[seat] == 0:
            self.killed.append(seat)
            if seat in self.inn:
                self.inn.remove(seat)

    def only(self, seat: int, said: set[str]) -> dict[int, set[str]]:
        return {other: said if other == seat else set() for other in self.round}

    def cards(self, deal: str) -> None:
        for part in deal[5:].split(" / "):
            name, *words = part.split()
            if name == "stock":
                self.stock = words
            else:
                cards = [w[0] + r for w in words if w != "-" for r in w[2:].replace("T", "")]
                cards += [w[0] + "10" for w in words if "T" in w[2:]]
                self.hands[self.names.index(name)] = cards

    def pictures(self, asked: list[int]) -> Generator[Wait, Said, None]:
        mode = "off" if self.eight or self.kind == "eight" else self.rules.four_pictures
        if mode == "off":
            return
        for seat in asked:
            while seat in self.inn and len(self.inn) > 1:
                if mode != "redeal" and len(self.stock) < 4:
                    return
                cards = self.hands[seat]
                said = {"keep"}
                if self.true(cards):
                    said = set() if mode == "compulsory" else said
                    said.add(plain(("show " if mode == "redeal" else "give ") + " ".join(cards)))
                elif mode == "claim_challenge" and self.kind == "regular":
                    said.add(plain("give " + " ".join(cards)))
                said = {text + " away" if text[:4] == "give" else text for text in said}
                may = {other: self.challenges(other) for other in self.round}
                may[seat] |= {plain(text) for text in said}
                who, text = yield from self.listen(seat, may)
                if text.startswith("challenge"):
                    yield from self.challenge(who, text)
                elif text.startswith("show"):
                    raise DealtAgain
                elif text.startswith("give"):
                    self.packets.append([seat, cards, False])
                    self.hands[seat], self.stock = self.stock[:4], self.stock[4:]
                elif text == "keep":
                    break

    def true(self, cards: list[str]) -> bool:
        """Four pictures, or three and a seven where that will do."""
        sevens = [card for card in cards if card[1:] == "7"]
        pictures = [card for card in cards if card[1:] in ("A", "K", "Q", "J")]
        return len(pictures) == 4 or (self.rules.white_wash and (len(pictures), len(sevens)) == (3, 1))

    def challenges(self, seat: int) -> set[str]:
        honest = self.rules.four_pictures != "claim_challenge" or self.kind != "regular"
        if honest or seat not in self.inn or not self.hands[seat]:
            return set()
        found = set()
        for owner in self.inn:
            own = [packet for packet in self.packets if packet[0] == owner]
            for number, packet in enumerate(own, 1):
                if owner != seat and not packet[2]:
                    found.add(f"challenge {self.names[owner]}" + (f" {number}" if len(own) > 1 else ""))
        return found

    def challenge(self, who: int, text: str) -> Generator[Wait, Said, None]:
        _, name, *number = text.split()
        owner = self.names.index(name)
        packet = [p for p in self.packets if p[0] == owner][int(number[0]) - 1 if number else 0]
        if (yield from self.answer(owner, {plain("show " + " ".join(packet[1]))})):
            packet[2] = True
            self.fine(who if self.true(packet[1]) else owner, self.rules.penalty_points)

    def poor_men(self) -> Generator[Wait, Said, int | None]:
        rules = self.rules
        if rules.poor_man == "off" or self.kind != "regular":
            return None
        self.poor = [seat for seat in self.inn if self.points[seat] == 1]
        if not self.poor:
            return None
        if self.eight:
            self.stake = 2
            return None
        asker = self.poor[0]
        rich = [seat for seat in self.after(asker) if seat not in self.poor]
        leads = rules.poor_man_leads_always or (rules.poor_man_leads_first and asker not in self.led)
        lead = asker if leads and rich else None
        if rules.poor_man == "ask_two":
            for seat in rich:
                if (yield from self.answer(seat, {"hold", "leave"})) == "leave":
                    self.pay(seat, 1)
            if len(self.inn) > 1:
                self.stake, self.last = 2, asker if rich else -1
        else:
            self.stake = 2 if rules.poor_man == "fixed_two" else 1 + len(self.poor)
        return lead

    def pay(self, seat: int, cost: int) -> None:
        self.points[seat] = max(0, self.points[seat] - cost)
        self.inn.remove(seat)
        if self.points[seat] == 0 and self.rules.same_hand_deaths == "in_order":
            self.killed.append(seat)

    def may_raise(self, seat: int, turn: int, more: int = 0) -> bool:
        rules = self.rules
        cap = {
            "points": self.points[seat],
            "points_plus_one": self.points[seat] + 1,
            "none": max(self.points[other] for other in self.inn),
        }[rules.raise_cap]
        if seat == self.dared:
            cap = max(cap, 3)
        return (
            self.kind == "regular"
            and not self.eight
            and seat in self.inn
            and self.last != seat
            and self.stake + 1 <= cap + more
            and not (rules.poor_man_raises == "barred" and any(poor in self.inn for poor in self.poor))
            and (rules.raise_timing == "any_time" or seat == turn or more > 0)
        )

    def blind_raises(self, blind: list[int]) -> Generator[Wait, Said, None]:
        for seat in blind:
            if len(self.inn) < 2 or not self.may_raise(seat, seat, 1):
                continue
            if not self.rules.two_to_three:
                yield from self.question(seat)
            elif self.stake == 1:
                self.stake, self.dared = 2, seat
                self.raised.add(seat)

    def may_raise_again(self, seat: int, raiser: int) -> bool:
        """Whether a seat that is asked may raise at once, as if all had gone along."""
        kept = self.stake, self.last
        self.stake, self.last = self.stake + 1, raiser
        may = self.rules.raise_in_answer and self.may_raise(seat, seat)
        self.stake, self.last = kept
        return may

    def question(self, raiser: int) -> Generator[Wait, Said, None]:
        self.along = dict.fromkeys(self.inn, self.stake)
        waiting = self.after(raiser)
        while waiting and len(self.inn) > 1:
            seat = waiting.pop(0)
            bound = seat in self.raised and not self.rules.raiser_may_leave
            may = {"hold"} if bound else {"hold", "leave"}
            said = yield from self.answer(seat, may, raiser)
            if said == "leave":
                self.pay(seat, 1 if self.rules.leave_cost == "one" else self.along[seat])
            elif said == "hold":
                self.along[seat] = self.stake + 1
            elif said == "raise":
                self.raised.add(raiser)
                self.stake += 1
                self.along[seat] = self.along[raiser] = self.stake
                raiser, waiting = seat, self.after(seat)
        self.along = {}
        if len(self.inn) > 1:
            self.raised.add(raiser)
            self.stake, self.last = self.stake + 1, raiser

    def best(self, plays: list[tuple[int, str]], seats: list[int]) -> int:
        led = plays[0][1][0]
        able = [(seat, card) for seat, card in plays if seat in seats]
        follow = [one for one in able if one[1][0] == led] or able
        return max(follow, key=lambda one: (RANKS.index(one[1][1:]), SUITS.index(one[1][0])))[0]

    def tricks(self, leader: int) -> Generator[Wait, Said, None]:
        still = self.rules.leaver_cards == "still_win"
        plays: list[tuple[int, str]] = []
        for trick in range(8 if self.eight else 4):
            before, plays, last = plays, [], trick == (7 if self.eight else 3)
            while len(self.inn) > 1:
                done = [seat for seat, _ in plays]
                waiting = [seat for seat in self.inn if seat not in done]
                if not waiting:
                    break
                if plays:
                    turn = next(seat for seat in self.after(plays[-1][0]) if seat in waiting)
                elif leader in self.inn:
                    turn = leader
                elif before and not still:
                    turn = self.best(before, self.inn)
                else:
                    turn = self.after(leader)[0]
                may = {seat: self.free(seat, turn) for seat in self.round}
                suit = [card for card in self.hands[turn] if plays and card[0] == plays[0][1][0]]
                may[turn] |= {f"play {card}" for card in suit or self.hands[turn]}
                who, text = yield from self.listen(turn, may)
                if text.startswith("play"):
                    self.hands[who].remove(text[5:])
                    plays.append((who, text[5:]))
                    self.played.add(who)
                elif text == "raise":
                    yield from self.question(who)
                elif text == "leave":
                    self.pay(who, self.stake)
                elif text.startswith("challenge"):
                    yield from self.challenge(who, text)
            if len(self.inn) == 1:
                return
            leader = self.best(plays, [s for s, _ in plays] if still and not last else self.inn)
        self.final = dict(plays)
        while len(self.ladder) < len(self.inn):
            rest = [seat for seat in self.inn if seat not in self.ladder]
            self.ladder.append(self.best(plays, rest))

    def free(self, seat: int, turn: int) -> set[str]:
        """Actions out of turn that are open to a seat."""
        said = self.challenges(seat)
        if self.may_raise(seat, turn):
            said.add("raise")
        bound = seat in self.raised and not self.rules.raiser_may_leave
        if self.rules.voluntary_leave and self.kind == "regular" and seat in self.inn and not bound:
            said.add("leave")
        return said

    def revokers(self) -> set[int]:
        """Whom a revoke may be booked for once cards are out: who played one and has something to lose."""
        return {seat for seat in self.played if seat in self.inn or self.points[seat]}

    def settle(self) -> None:
        """From the points after leaving and penalties; the first of the ladder has won."""
        self.points, self.killed = list(self.paid), list(self.gone)
        for seat in self.ladder[1:]:
            loss = {"regular": self.stake, "poor": 1, "dead": 0, "eight": 0}[self.kind]
            self.points[seat] = max(0, self.points[seat] - loss)
        jack = self.final.get(self.ladder[0], "")[1:] == "J"
        if self.rules.last_jack and self.kind == "regular" and jack:
            self.points[self.ladder[0]] += 1

    def revoked(self) -> None:
        """A-U-21: the winner's revoke is found after the hand; who won by leaving still has won."""
        guilty = self.ladder[0]
        self.revokers_done.add(guilty)
        paid = min(self.paid[guilty], self.rules.penalty_points + self.stake)
        if self.ladder[1:] == [] and sum(self.paid) == paid:
            paid = 0  # nobody else is alive
        self.paid[guilty] -= paid
        if paid and not self.paid[guilty]:
            self.gone.append(guilty)
        self.ladder = self.ladder[1:] or self.ladder
        self.settle()


Next = tuple[str, list[int], int]
"""The kind of the next hand, its seats and its dealer."""
Event = PlainHand | tuple[str, int]
"""A hand that was played or dealt again, or a penalty between two hands: its rule and who pays."""
Course = Generator[Next, Event, None]


class PlainGame:
    """A whole game, hand by hand. A revoke found late changes the last hand, and all is computed anew."""

    def __init__(self, rules: Any, seats: int, dealer: int) -> None:
        self.rules, self.seats, self.first = rules, seats, dealer
        self.events: list[Event] = []
        self.begin()

    def begin(self) -> None:
        self.points = [self.rules.start_points] * self.seats
        self.rank = [0] * self.seats
        self.alive = list(range(self.seats))
        self.led: set[int] = set()
        self.host = self.first
        self.top, self.gone, self.fresh = 0, -1, False
        form = self.rules.game_form
        self.story = {"survivor": self.tell, "halves": self.two_halves, "eight_cards": self.letter}[form]()
        self.wait: Next | None = next(self.story)

    def send(self, event: Event) -> None:
        try:
            self.wait = self.story.send(event)
        except StopIteration:
            self.wait = None

    def done(self, event: Event) -> None:
        """Something has happened."""
        hands = [one for one in self.events if isinstance(one, PlainHand)]
        if isinstance(event, tuple) and event[0] == "IV7" and hands[-1].ladder[:1] == [event[1]]:
            hands[-1].revoked()
            at = self.events.index(hands[-1])
            while ("IV7", hands[-1].ladder[0]) in self.events[at:]:  # who wins now had revoked too
                del self.events[self.events.index(("IV7", hands[-1].ladder[0]), at)]
                hands[-1].revoked()
            self.begin()
            for at, one in enumerate(self.events):
                self.send(one)
                if one is hands[-1] and self.fresh:  # it has ended a half, before later penalties
                    del self.events[at + 1 :]
                    return
            return
        self.events.append(event)
        self.send(event)

    def late_revokers(self) -> set[int]:
        """Whom a revoke in the last hand may be booked for before cards are dealt again (A-U-21)."""
        hands = [at for at, event in enumerate(self.events) if isinstance(event, PlainHand)]
        if not hands or self.fresh:
            return set()
        last = self.events[hands[-1]]
        assert isinstance(last, PlainHand)
        if last.redealt:
            return set()
        later = [event for event in self.events[hands[-1] + 1 :] if isinstance(event, tuple)]
        had = {*last.revokers_done, *(seat for rule, seat in later if rule == "IV7")}
        return {s for s in last.played if s not in had and (s == last.ladder[0] or self.points[s])}

    def living(self, seat: int) -> int:
        while self.points[seat] == 0 and any(self.points):
            seat = (seat + 1) % self.seats
        return seat

    def kill(self, seats: list[int]) -> None:
        if self.rules.game_form == "halves":
            self.gone = seats[0] if seats and self.gone < 0 else self.gone
            return
        for seat in seats:
            self.rank[seat] = self.top + len(self.alive)
            self.alive.remove(seat)
        self.crown()

    def crown(self) -> None:
        if len(self.alive) == 1 and self.rules.game_form != "halves":
            self.rank[self.alive[0]] = self.top + 1

    def hand(self, kind: str, group: list[int], dealer: int) -> Generator[Next, Event, PlainHand | None]:
        """The next hand; None if penalties have left no seats for it."""
        while True:
            group = group if kind == "dead" else [seat for seat in group if seat in self.alive]
            if len(group) < 2 or self.gone >= 0:
                return None
            event = yield kind, list(group), self.living(dealer)
            self.fresh = self.fresh and not isinstance(event, PlainHand)
            if isinstance(event, PlainHand) and not event.redealt:
                self.points = list(event.points)
                self.kill(event.killed)
                return event
            had = list(self.points)
            if isinstance(event, PlainHand):
                self.points = [had - fine for had, fine in zip(event.start, event.fines, strict=True)]
                self.kill([seat for seat in event.killed if not self.points[seat]])
            elif kind == "eight" and event[1] not in group:
                continue
            elif [seat for seat in range(self.seats) if had[seat]] != [event[1]] or had[
                event[1]
            ] > self.rules.penalty_points:
                self.points[event[1]] = max(0, had[event[1]] - self.rules.penalty_points)
                self.kill([event[1]] if had[event[1]] and not self.points[event[1]] else [])
            if kind == "regular" and self.rules.poor_playoff == "any" and had != self.points:
                yield from self.decide(self.points)

    def decide(self, before: list[int]) -> Course:
        """New poor men play for survival (A-U-16)."""
        rules = self.rules
        group = [seat for seat in self.alive if self.points[seat] == 1]
        if rules.poor_playoff == "simultaneous":
            group = [seat for seat in group if before[seat] > 1]
        if "off" not in (rules.poor_man, rules.poor_playoff) and len(self.alive) > 1 and len(group) > 1:
            yield from self.hand("poor", group, self.host)
            if self.gone < 0:
                yield from self.bury([seat for seat in group if seat in self.alive and not self.points[seat]])

    def tell(self) -> Course:
        dealer = self.first
        while len(self.alive) > 1:
            hand = yield from self.hand("regular", self.alive, dealer)
            if hand is None:
                return
            self.led |= set(hand.poor)
            self.host = hand.ladder[0]
            yield from self.bury([seat for seat in self.alive if self.points[seat] == 0])
            yield from self.decide(hand.start)
            dealer = (hand.dealer + 1) % self.seats if self.rules.next_dealer == "rotate" else self.host

    def bury(self, dead: list[int]) -> Course:
        """Those who died together play off their places (A-U-17)."""
        if self.rules.game_form == "halves":
            while len(dead) > 1:
                hand = yield from self.hand("dead", dead, self.host)
                if hand is None or self.gone >= 0:
                    return
                dead = [seat for seat in dead if seat != hand.ladder[0]]
            self.gone = dead[0] if dead else self.gone
            return
        self.alive = [seat for seat in self.alive if seat not in dead]
        self.crown()
        place = len(self.alive) + 1
        while len(dead) > 1 and self.rules.dead_playoff:
            hand = yield from self.hand("dead", dead, self.host)
            assert hand is not None
            self.rank[hand.ladder[0]] = place
            dead = [seat for seat in dead if seat != hand.ladder[0]]
            place += 1
        for seat in dead:
            self.rank[seat] = place

    def letter(self) -> Course:
        """Eight cards, no points: who wins drops out with the best place and deals (A-U-37)."""
        dealer = self.first
        while len(self.alive) > 1:
            hand = yield from self.hand("eight", self.alive, dealer)
            dealer = hand.ladder[0] if hand is not None else dealer
            if hand is not None and dealer in self.alive and len(self.alive) > 1:
                self.top += 1
                self.rank[dealer] = self.top
                self.alive.remove(dealer)
                self.crown()

    def half(self, dealer: int) -> Generator[Next, Event, int]:
        """A half: who is first without points (A-U-36)."""
        while True:
            hand = yield from self.hand("regular", self.alive, dealer)
            if hand is not None:
                self.led |= set(hand.poor)
                self.host = hand.ladder[0]
                if self.gone < 0:
                    yield from self.bury([seat for seat in self.alive if self.points[seat] == 0])
                if self.gone < 0:
                    yield from self.decide(hand.start)
                dealer = (hand.dealer + 1) % self.seats if self.rules.next_dealer == "rotate" else self.host
            if self.gone >= 0:
                return self.gone

    def two_halves(self) -> Course:
        """Two halves, and eight cards between their losers (A-U-36)."""
        one = yield from self.half(self.first)
        self.points, self.led, self.gone, self.fresh = [self.rules.start_points] * self.seats, set(), -1, True
        self.host = (one - 1) % self.seats
        other = yield from self.half(self.host)
        lost = one
        if one != other:
            self.points, self.led = [self.rules.start_points] * self.seats, set()
            self.gone, self.fresh = -1, True
            hand = yield from self.hand("eight", sorted([one, other]), self.host)
            lost = self.gone
            if lost < 0:
                assert hand is not None
                lost = other if hand.ladder[0] == one else one
        self.rank = [self.seats if seat == lost else 1 for seat in range(self.seats)]


def walk(rules: Any, seats: int, rng: Random) -> int:
    """Both referees beside one random game; the number of hands played."""
    match = Match.start(GAME, rules, seats, rng.choice(range(seats)))
    game = PlainGame(rules, seats, match.dealer)

    def begun() -> PlainHand:
        assert game.wait is not None
        kind, group, dealer = game.wait
        here: Any = match.hand
        assert (here.kind, list(here.in_hand), here.setup.dealer) == (kind, group, dealer)
        return PlainHand(rules, seats, kind, group, dealer, game.points, game.led)

    hand = begun()
    while match.winner is None:
        assert hand.wait is not None
        owed, may = hand.wait
        assert match.hand.owed() == (owed,)
        here: Any = match.hand
        assert list(here.points) == hand.points
        for seat in range(seats):
            assert {plain(str(action)) for action in here.legal(seat)} == may[seat], (seat, here.log)
        if rules.conduct == "director":
            words = [str(action).split()[1:] for action in here.legal(DIRECTOR)]
            revokers = {hand.names.index(name) for rule, name in words if rule == "IV7"}
            assert revokers == (hand.revokers() if hand.hands else game.late_revokers())
        seat, action = random_actor(match.hand, seats, rng)
        if rng.random() < 0.05:  # revokes and misdeals are the rarer and the harder penalties
            rare = [one for one in here.legal(DIRECTOR) if str(one).split()[1] in ("IV4", "IV7")]
            seat, action = (DIRECTOR, rng.choice(rare)) if rare else (seat, action)
        hands = len(match.played)
        match = match.apply(seat, action)
        hand.do(seat, str(action))
        if len(match.played) == hands:
            continue
        assert hand.wait is None
        _, rule, name = [*str(action).split(), "", ""][:3]
        game.done((rule, hand.names.index(name)) if hand.booked else hand)
        assert list(match.tally.score()) == game.points
        assert list(match.tally.plain()["places"]) == game.rank
        assert (match.winner is None) == (game.wait is not None)
        if match.winner is None:
            hand = begun()
    return len(match.played)


def test_two_referees_agree_on_the_presets(subtests: pytest.Subtests) -> None:
    for seats in range(2, 9):
        for preset in sorted(set(PRESETS) - {"tuppen_zk_tournament"}):
            with subtests.test(seats=seats, preset=preset):
                assert walk(find(preset)[1], seats, Random(f"{preset} {seats}")) > 0


@pytest.mark.clause("A-U-12", "A-U-15", "A-U-16", "A-U-17", "A-U-21", "A-U-29", "TU-ZK-III1d", "TU-ZK-III2b")
def test_two_referees_agree_on_random_rules(subtests: pytest.Subtests) -> None:
    for seed in range(100):
        with subtests.test(seed=seed):
            rng = Random(seed)
            chosen = {item.name: rng.choice(item.values) for item in options(Rules) if item.values}
            small = {"start_points": rng.choice([1, 2, 3, 5]), "penalty_points": rng.choice([1, 1, 2])}
            rules = Rules(**{**chosen, **small})
            assert walk(rules, rng.choice(range(2, 9)), rng) > 0


NEW = {
    "four_pictures": ("compulsory", "claim_challenge"),
    "white_wash": (True,),
    "raise_in_answer": (True,),
    "poor_man_leads_always": (True,),
    "last_jack": (True,),
    "two_to_three": (True,),
    "blind_raise": (True, False),
    "game_form": ("survivor", "halves", "eight_cards"),
}
"""The options beyond the ZK sheet, each more often on than off."""


def variant(seed: int) -> int:
    """A random game with most of the options beyond the ZK sheet; the number of hands played."""
    rng = Random(f"variant {seed}")
    chosen = {item.name: rng.choice(item.values) for item in options(Rules) if item.values}
    chosen |= {name: rng.choice(values) for name, values in NEW.items() if rng.random() < 0.7}
    small = {"start_points": rng.choice([1, 2, 3, 5]), "penalty_points": rng.choice([1, 1, 2])}
    return walk(Rules(**{**chosen, **small}), rng.choice(range(2, 9)), rng)


@pytest.mark.clause("A-U-30", "A-U-31", "A-U-32", "A-U-33", "A-U-34", "A-U-35", "A-U-36", "A-U-37")
def test_two_referees_agree_on_the_variants(subtests: pytest.Subtests) -> None:
    for seed in range(200):
        with subtests.test(seed=seed):
            assert variant(seed) > 0


@pytest.mark.slow
def test_two_referees_agree_on_many_variants() -> None:
    """NOUSU_REFEREE says how many matches, some 40 a second."""
    for seed in range(1000, 1000 + int(os.environ.get("NOUSU_REFEREE", "5000"))):
        assert variant(seed) > 0, f"seed {seed}"


def count(position: Any, depth: int, said: tuple[tuple[int, str], ...] = ()) -> int:
    """Leaves of a perft position by the second referee, each line told from the start."""
    hand = position()
    for seat, text in said:
        hand.do(seat, text)
    if depth == 0 or hand.wait is None:
        return 1
    may = hand.wait[1]
    steps = [(seat, text) for seat in may for text in may[seat]]
    return sum(count(position, depth - 1, (*said, step)) for step in steps)


PERFT = Path(__file__).parent.parent / "perft" / "tuppen.perft"


def positions() -> list[tuple[str, dict[str, str], dict[int, int]]]:
    """The positions of the perft file: name, fields, leaves by depth."""
    found = []
    text = "\n".join(line for line in PERFT.read_text().splitlines() if not line.startswith("#"))
    for block in text.strip().split("\n\n"):
        lines = [line.partition(" ") for line in block.splitlines()]
        fields = {word: rest for word, _, rest in lines if not word.isdecimal()}
        numbers = [int(word) for line in block.splitlines() if line[0].isdecimal() for word in line.split()]
        found.append((fields["id"], fields, dict(zip(numbers[::2], numbers[1::2], strict=True))))
    return found


@pytest.mark.parametrize(("name", "fields", "counts"), positions())
def test_second_referee_counts_the_same_leaves(
    name: str, fields: dict[str, str], counts: dict[int, int]
) -> None:
    rules = find(fields["game"])[1]
    seats = int(fields.get("seats", "4"))
    names = "NESW" if seats == 4 else [f"P{seat + 1}" for seat in range(seats)]
    said = [(-1, "deal " + fields["deal"])]
    for entry in fields.get("moves", "").split(";"):
        seat, _, text = entry.strip().partition(" ")
        said += [(names.index(seat), text)] if text else []

    def start() -> PlainHand:
        everybody = list(range(seats))
        dealer = names.index(fields.get("dealer", names[0]))
        return PlainHand(rules, seats, "regular", everybody, dealer, [rules.start_points] * seats, set())

    for depth, leaves in counts.items():
        if leaves < 1_500:
            assert count(start, depth, tuple(said)) == leaves, f"{name} at depth {depth}"
