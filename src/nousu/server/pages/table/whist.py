"""The table view of Tuppi and other whist: bids, sooli, the hill, the result."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from nousu.engine.actions import Seal, Show
from nousu.engine.cards import ACE_HIGH, ACE_LOW, Card, Strength
from nousu.engine.game import Tally, View
from nousu.engine.messages import pgettext, sentence
from nousu.engine.seats import Seat, side
from nousu.games.whist import (
    BOOK,
    PASS,
    SOOLI,
    TRICKS,
    Bid,
    Facts,
    Kind,
    Outcome,
    Pass,
    Rise,
    Rules,
    bid_in,
    bid_order,
    ink,
    means_high,
    sealed,
)
from nousu.i18n import Signed, numeral, signed_number
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import Voice
from nousu.server.pages.table import table_view
from nousu.server.pages.table.common import (
    base_view,
    button,
    card_actions,
    decided,
    hand_cards,
    match_winner,
    other_actions,
    people,
    plates,
    reasons,
    score_bars,
    void_outcome,
    winning_seats,
)
from nousu.server.pages.table.seat_names import SeatNames
from nousu.server.pages.table.table_view import (
    BidSpot,
    Button,
    FallenRise,
    Hill,
    Plate,
    Prompt,
    ScoreSheet,
    TableView,
)
from nousu.server.table.view import HandSummary, SeatView

STRENGTH = ACE_HIGH
"""The usual order of the cards."""


@dataclass(slots=True, kw_only=True)
class WhistView(TableView):
    """The view of a whist table; it needs nothing of its own."""

    drawing: Literal["whist"] = "whist"


@lru_cache(256)
def bid_chip(kind: Kind, rules: Rules, reader: Reader) -> table_view.BidChip:
    """The chip of a kind of game: red is high in Tuppi and low in Minnesota Whist."""
    say = reader.say
    high, low = rules.words
    if kind == "sooli":
        return table_view.BidChip(reader.voice.word("sooli"), "sooli", "black", say("no trick at all"))
    if kind == "high":
        return table_view.BidChip(reader.voice.word(high.name), "rami", ink(True, rules), say("many tricks"))
    return table_view.BidChip(reader.voice.word(low.name), "nolo", ink(False, rules), say("few tricks"))


def kind_of(laid: Card | Bid, rules: Rules) -> Literal["high", "low"]:
    """The kind of game that a bid stands for."""
    return "high" if means_high(laid, rules) else "low"


def _lays(view: View, who: SeatNames, reader: Reader) -> tuple[BidSpot, ...]:
    """The bids before the players, numbered in the order of exposing."""
    say = reader.say
    rules, facts = view.rules, Facts.of(view.facts)
    shown, own = facts.exposed, facts.own_bid
    bidding = facts.phase in ("bid", "auction")
    lays = []
    for nth, seat in enumerate(bid_order(rules, view.setup.dealer), 1):
        place = who.place(seat)
        lay = BidSpot(place, nth)
        if seat in shown:
            what = shown[seat]
            if isinstance(what, Pass):
                lay = BidSpot(place, nth, bid=table_view.BidChip(reader.voice.word("pass"), "no", "black"))
            else:
                up = str(what) if isinstance(what, Card) else ""
                lay = BidSpot(place, nth, up, bid=bid_chip(kind_of(what, rules), rules, reader))
        elif seat == view.seat and own is not None:
            note = say("only you see it") if facts.kind is None else say("stays hidden")
            if isinstance(own, Bid):
                lay = BidSpot(place, nth, bid=bid_chip(kind_of(own, rules), rules, reader), note=note)
            else:
                lay = BidSpot(place, nth, str(own), note=note)
        elif seat in facts.committed:
            lay = BidSpot(place, nth, back=True, note="" if facts.kind is None else say("stays hidden"))
        elif bidding:
            lay = BidSpot(place, nth, slot=say("your bid") if seat == view.seat else say("thinking"))
        lays.append(lay)
    return tuple(lays)


_KINDS: tuple[Literal["high", "low"], ...] = ("high", "low")


def _tiles(view: View, reader: Reader) -> tuple[Button, ...]:
    """The two bid tiles; each selects the lowest card that makes the bid."""
    rules = view.rules
    tiles = []
    bids = [(action, bid_in(action)) for action in view.legal if isinstance(action, Seal)]
    for kind in _KINDS:
        chip = bid_chip(kind, rules, reader)
        fitting = [(action, bid) for action, bid in bids if bid is not None and kind_of(bid, rules) == kind]
        if not fitting:
            continue
        cards = [bid for _, bid in fitting if isinstance(bid, Card)]
        if not cards:
            spoken = reader.say("is said aloud") if rules.bid_mode == "hand_card" else chip.about
            tiles.append(Button(act=str(fitting[0][0]), label=chip.word, note=spoken, bid=chip))
            continue
        lowest = min(cards, key=lambda card: card.rank)
        act = str(sealed(lowest))
        tiles.append(Button(act=act, label=chip.word, note=chip.about, bid=chip, picks=str(lowest)))
    return tuple(tiles)


def _hint(view: View, reader: Reader) -> str:
    """The rules of bidding in one or two sentences."""
    say = reader.say
    rules = view.rules
    if Facts.of(view.facts).phase == "auction":
        return say("The first bid decides; four passes make a low hand.")
    if rules.bid_mode == "bid_card":
        return say("Shown in order 1–4: the first high bid decides.")
    if rules.bid_ranks == "any":
        return say("Shown in order 1–4: the first high bid decides. Any card will do and comes back.")
    return say("Shown in order 1–4: the first high bid decides. A card from 3 to 10 will do and comes back.")


def score_hill(rise: Rise, before: Rise | None, who: SeatNames, reader: Reader) -> Hill:
    """The marker on the slope of the rising side, with its place before the hand."""
    start = before.points if before is not None and before.riser == rise.riser else None
    return _hill(rise.riser, rise.points, rise.rules.target, start, who, reader)


def _fallen_rises(played: Sequence[HandSummary], who: SeatNames, reader: Reader) -> tuple[FallenRise, ...]:
    """The rises that fell, each with the hand that brought it to its peak."""
    falls = []
    for at in _falls(played):
        rise = played[at - 1].tally
        assert isinstance(rise, Rise)
        hand = reader.say("hand {number}", number=played[at - 1].number)
        falls.append(FallenRise(us=rise.riser == who.our_side(), peak=rise.points, hand=hand))
    return tuple(falls)


_NEAR = 10
"""Points between two marks on one slope that can both be read."""


def _apart(rises: Sequence[FallenRise], rise: Rise, who: SeatNames) -> tuple[FallenRise, ...]:
    """The highest rises of both sides, as far as their marks lie apart from each other and from the score."""
    taken = {True: [0], False: [0]}
    if rise.riser is not None:
        taken[rise.riser == who.our_side()].append(rise.points - _NEAR // 2)
    found = []
    for one in sorted(rises, key=lambda one: -one.peak):
        if all(abs(one.peak - other) >= _NEAR for other in taken[one.us]):
            taken[one.us].append(one.peak)
            found.append(one)
    return tuple(found)


@lru_cache(4096)
def _hill(
    riser: int | None, points: int, target: int, start: int | None, who: SeatNames, reader: Reader
) -> Hill:
    """The slopes, cached for all events of a hand."""
    say = reader.say
    us, them = who.our_side(), 1 - who.our_side()
    where = "none" if riser is None else "us" if riser == us else "them"
    rising, zero = say("rising"), say("0 points")
    if riser is None:
        spoken = say("Score: nobody is rising, 0–0")
    else:
        name = who.side_name(riser, reader)
        spoken = say("Score: {side} is rising, {points} of {target}", side=name, points=points, target=target)
    return Hill(
        side=where,
        score=points,
        target=target,
        start=start,
        us=who.side_short(us, reader),
        them=who.side_short(them, reader),
        us_note=rising if riser == us else zero,
        them_note=rising if riser == them else zero,
        spoken=spoken,
    )


def score_sheet(seen: SeatView, reader: Reader) -> ScoreSheet:
    """The score sheet: game, tricks, points and score of each hand."""
    say, who = reader.say, people(seen)
    us, them = who.our_side(), 1 - who.our_side()
    rows = []
    for done in seen.match.played:
        if done.result.void:
            rows.append((str(done.number), say("void"), "–", "–", "–"))
            continue
        facts = Outcome.of(done.result.outcome)
        tricks = f"{facts.tricks[us]}–{facts.tricks[them]}"
        kind = "–" if facts.kind is None else bid_chip(facts.kind, seen.view.rules, reader).word
        score = standing(done.tally, who, reader)
        rows.append((str(done.number), kind, tricks, _gain(done, who, reader), score))
    heads = (say("Hand"), say(pgettext("kind of hand", "Game")), say("Tricks"), say("Points"), say("Score"))
    return ScoreSheet(heads=heads, rows=tuple(rows), falls=_falls(seen.match.played))


def _falls(played: Sequence[HandSummary]) -> tuple[int, ...]:
    """The hands, from 0, after which nobody rises any more."""
    return tuple(
        [
            at
            for at, (before, after) in enumerate(pairwise(played), 1)
            if isinstance(before.tally, Rise) and isinstance(after.tally, Rise)
            if before.tally.riser is not None and after.tally.riser is None
        ]
    )


def _gain(done: HandSummary, who: SeatNames, reader: Reader) -> str:
    """The points of a hand and their winner."""
    scored = [(number, points) for number, points in enumerate(done.result.points) if points]
    if not scored:
        return reader.say("broken off") if Outcome.of(done.result.outcome).ended_early else "0"
    return " ".join(f"{who.side_short(number, reader)} {signed_number(points)}" for number, points in scored)


def standing(tally: Tally, who: SeatNames, reader: Reader) -> str:
    """The score after a hand in short."""
    if isinstance(tally, Rise):
        return "0–0" if tally.riser is None else f"{who.side_short(tally.riser, reader)} {tally.points}"
    us, score = who.our_side(), tally.score()
    return f"{numeral(score[us])} : {numeral(score[1 - us])}"


def _outcome(seen: SeatView, who: SeatNames, reader: Reader) -> table_view.HandOutcome:
    """The finished hand: game, tricks as boxes, the clauses that pay."""
    say = reader.say
    done = seen.match.played[-1]
    result, rules = done.result, seen.view.rules
    if result.void:
        return void_outcome(seen, who, reader)
    facts = Outcome.of(result.outcome)
    us = who.our_side()
    kind, ours = facts.kind, facts.tricks[us]
    assert kind is not None
    chip = bid_chip(kind, rules, reader)
    bidder = facts.bidder if facts.soloist is None else facts.soloist
    lead = say("all bid low") if bidder is None else say("{name} bid it", name=who.name(bidder))
    points = result.points[us] or -result.points[1 - us]
    title = say(sentence("{count} trick:", "{count} tricks:"), count=ours)
    if facts.ended_early:
        title = say("Broken off:")
    elif facts.soloist is not None:
        made = facts.scorer == side(facts.soloist)
        title = say("Sooli held:") if made else say("Sooli failed:")
    boxes = () if kind == "sooli" or facts.ended_early else _boxes(ours)
    return table_view.HandOutcome(
        index=done.index,
        bid=chip,
        lead=lead,
        title=title,
        accent=_accent(seen, who, reader),
        theirs=points < 0,
        won=boxes,
        key=_key(ours, reader) if boxes else (),
        reasons=reasons(done, who, reader),
        facts=(
            (say("Score"), standing(done.tally, who, reader)),
            (say("Next dealer"), who.name(done.tally.dealer(seen.view.setup))),
        ),
        match=match_winner(seen, who, reader) if seen.over else "",
        winners=winning_seats(seen) if seen.over else (),
        decided=_decided(seen, who, reader) if seen.over else "",
        final=f"{numeral(done.score[us])} – {numeral(done.score[1 - us])}" if seen.over else "",
        dealer=who.name(done.tally.dealer(seen.view.setup)),
        waits=seen.waiting,
    )


def _decided(seen: SeatView, who: SeatNames, reader: Reader) -> str:
    """A sentence about the decisive hand; empty where a limit of hands decided by other figures."""
    tally = seen.match.tally
    if isinstance(tally, Rise) and tally.points < tally.rules.target:
        return ""
    return decided(seen, [(0, 0), *[done.score for done in seen.match.played]], who, reader)


def _accent(seen: SeatView, who: SeatNames, reader: Reader) -> str:
    """The change of the score as the headline of a hand."""
    say = reader.say
    done = seen.match.played[-1]
    if not isinstance(done.tally, Rise):
        ours, theirs = done.result.points[who.our_side()], done.result.points[1 - who.our_side()]
        if ours:
            return say(sentence("{points} point", "{points} points"), points=Signed(ours))
        return say("they get {points}", points=signed_number(theirs))
    before = _rise_before(seen)
    if done.tally.riser is None and before is not None and before.riser is not None:
        return say("{side} falls", side=who.side_name(before.riser, reader))
    scorer = Outcome.of(done.result.outcome).scorer
    gained = max(done.result.points)
    if scorer == who.our_side():
        return say("+{points}", points=gained)
    return say("they rise {points}", points=gained)


def _rise_before(seen: SeatView) -> Rise | None:
    """The tally before the last finished hand, if only one side rises."""
    tally = seen.match.played[-2].tally if len(seen.match.played) > 1 else None
    return tally if isinstance(tally, Rise) else None


def _boxes(ours: int) -> tuple[str, ...]:
    """One box a trick: own tricks first, those over six marked."""
    return tuple("over" if n >= BOOK else "us" for n in range(ours)) + ("",) * (TRICKS - ours)


def _key(ours: int, reader: Reader) -> tuple[tuple[str, int, bool], ...]:
    """Captions under the boxes."""
    say = reader.say
    theirs = TRICKS - ours
    parts = [(say("ours {count}", count=min(ours, BOOK)), min(ours, BOOK), False)]
    if ours > BOOK:
        parts.append((say("over {count}", count=ours - BOOK), ours - BOOK, True))
    parts.append((say("theirs {count}", count=theirs), theirs, False))
    return tuple(part for part in parts if part[1])


def _seat_notes(view: View, plain: tuple[Plate, ...], reader: Reader) -> tuple[Plate, ...]:
    """The plates with the bidder, the soloist, the partner sitting out, the leader."""
    facts = Facts.of(view.facts)
    kind: Kind | None = "high" if facts.kind == "sooli" else facts.kind
    called = bid_chip(kind, view.rules, reader).word if kind is not None else ""
    return _plates_with_notes(plain, facts.soloist, facts.out, facts.bidder, called, reader)


@lru_cache(4096)
def _plates_with_notes(
    plates: tuple[Plate, ...],
    soloist: Seat | None,
    out: Seat | None,
    bidder: Seat | None,
    called: str,
    reader: Reader,
) -> tuple[Plate, ...]:
    """The plates, cached; `called` is the bid once it is known."""
    say = reader.say
    noted = []
    for plate in plates:
        note, away = plate.note, plate.away
        if plate.seat == soloist:
            note = say("plays sooli")
        elif plate.seat == out:
            note, away = say("sits out"), True
        elif plate.seat == bidder and called:
            note = say("bid {bid}", bid=called)
        elif plate.lead:
            note = say("led")
        noted.append(
            plate if note == plate.note and away == plate.away else replace(plate, note=note, away=away)
        )
    return tuple(noted)


def _line(seen: SeatView, table: TableView, who: SeatNames, reader: Reader) -> tuple[str, bool]:
    """The speech line and whether it is the viewer's turn."""
    say = reader.say
    view, phase = seen.view, table.phase
    mine = table.my_turn
    if phase == "bid":
        return (say("Choose your bid"), True) if mine else (say("The others choose their bids"), False)
    if phase == "auction" and mine:
        return say("Your bid"), True
    if phase == "sooli":
        bidder = Facts.of(view.facts).bidder
        if mine and bidder is not None:
            called = bid_chip("high", view.rules, reader).word
            return say("{name} bid {bid}", name=who.name(bidder), bid=called), True
        asked = who.name(view.owed[0])
        return say("{name} is asked: sooli?", name=asked), False
    tasks = {
        "discard": say("Lay one card aside"),
        "give": say("Give the soloist one card"),
        "return": say("Give one card back"),
        "expose": say("Turn up your bid"),
    }
    if phase in tasks:
        if mine:
            return tasks[phase], True
        text = sentence("{name} exchanges a card")
        if phase == "expose":
            text = sentence("{name} turns up a bid")
        return say(text, name=who.name(view.owed[0])), False
    if phase == "play" and not view.tricks and not view.trick and not mine:
        kind = Facts.of(view.facts).kind
        assert kind is not None
        called = bid_chip(kind, view.rules, reader).word
        return say("{bid}: {name} leads", bid=called, name=who.name(view.owed[0])), False
    return table.line, mine


def _ask(view: View, reader: Reader) -> Prompt | None:
    """The question whether the viewer plays sooli."""
    say = reader.say
    if Facts.of(view.facts).phase != "sooli" or not view.legal:
        return None
    points = view.rules.sooli_points
    return Prompt(
        title=say("Do you play sooli?"),
        note=say(
            sentence(
                "Alone against both, no trick, ace lowest: {points} point.",
                "Alone against both, no trick, ace lowest: {points} points.",
            ),
            points=points,
        ),
        presses=(
            Button(
                act=str(SOOLI),
                label=reader.voice.word("sooli"),
                note=say("I take no trick"),
                bid=bid_chip("sooli", view.rules, reader),
                sure=say("Really sooli?"),
            ),
            Button(act=str(PASS), label=say("No"), note=say("play on"), main=True),
        ),
    )


def _contract_note(view: View, who: SeatNames, reader: Reader) -> str:
    """The number of tricks that the contract demands."""
    say = reader.say
    facts = Facts.of(view.facts)
    kind, bidder = facts.kind, facts.bidder
    if kind == "sooli":
        return say("no trick at all")
    if kind == "low":
        return say("6 at most")
    if bidder is not None and view.seat is not None and not who.ours(bidder):
        return say("they need 7")
    return say("7 needed")


def table(seen: SeatView, reader: Reader) -> WhistView:
    """The view of a whist table for one viewer."""
    view, who = seen.view, people(seen)
    facts = Facts.of(view.facts)
    phase = facts.phase
    shapes = {card: kind_of(card, view.rules) for card in view.cards} if phase == "bid" else {}
    on = card_actions(view.legal, view.cards) if phase != "expose" else {}
    plain = base_view(WhistView, seen, reader, hand=hand_cards(view, acts=on, shapes=shapes))
    bidding = phase in ("bid", "auction", "expose", "sooli")
    tiles = _tiles(view, reader) if phase == "bid" else ()
    acts: tuple[Button, ...] = () if tiles or phase == "sooli" else plain.acts
    if phase == "bid":
        acts = tuple(
            button(act, reader) for act in other_actions(view.legal, view.cards) if isinstance(act, Show)
        )
    if phase == "auction":
        tiles = tuple(_auction_tiles(view, reader))
        acts = ()
    text, mine = _line(seen, plain, who, reader)
    if phase == "expose" and view.legal:
        acts = tuple(replace(button(act, reader), main=True) for act in view.legal)
    score = seen.match.tally
    before = _rise_before(seen) if seen.resting else None
    plain.plates = _seat_notes(view, plates(seen, reader), reader)
    plain.lays = _lays(view, who, reader) if bidding else ()
    plain.contract = bid_chip(facts.kind, view.rules, reader) if facts.kind else None
    plain.contract_note = _contract_note(view, who, reader) if facts.kind else ""
    plain.line = text
    plain.my_turn = mine
    plain.ask = _ask(view, reader)
    plain.bids = tiles
    plain.acts = acts
    plain.hint = _hint(view, reader) if tiles else ""
    plain.tip = _meaning(view, reader) if seen.learning and tiles else ""
    if isinstance(score, Rise):
        plain.hill = score_hill(score, before, who, reader)
        if seen.resting and seen.match.played:
            fallen = _fallen_rises(seen.match.played, who, reader)
            ended = len(seen.match.played) - 1 in _falls(seen.match.played)
            plain.hill = replace(
                plain.hill,
                fallen=fallen[-1] if ended else None,
                rises=_apart(fallen, score, who) if seen.over else (),
            )
    else:
        plain.target = view.rules.target
        plain.bars = score_bars(seen, view.rules.target, reader)
    plain.outcome = _outcome(seen, who, reader) if seen.resting and seen.match.played else None
    return plain


_STRONG, _WEAK = 5, 3
"""Aces and kings: from so many on a high bid fits a hand, up to so many a low one."""


def _meaning(view: View, reader: Reader) -> str:
    """The meaning of the bids, and the one that fits the viewer's own cards."""
    say = reader.say
    high, low = (bid_chip(kind, view.rules, reader).word for kind in _KINDS)
    bids = say("{high}: your pair wants seven tricks or more. {low}: as few as it can.", high=high, low=low)
    strong = sum(2 if card.letter == "A" else 1 for card in view.cards if card.letter in "AK")
    held = sum(card.letter in "AK" for card in view.cards)
    if strong >= _STRONG:
        text = sentence(
            "You hold {count} ace or king, so {bid} fits.", "You hold {count} aces and kings, so {bid} fits."
        )
        advice = say(text, count=held, bid=high)
    elif strong <= _WEAK:
        advice = say("You hold few high cards, so {bid} fits.", bid=low)
    else:
        advice = say("With these cards either will do.")
    return f"{bids} {advice}"


def _auction_tiles(view: View, reader: Reader) -> list[Button]:
    """The calls of a spoken auction as tiles."""
    tiles = []
    for action in view.legal:
        bid = bid_in(action)
        if bid is not None:
            chip = bid_chip(kind_of(bid, view.rules), view.rules, reader)
        elif action == PASS:
            chip = table_view.BidChip(reader.voice.word("pass"), "no", "black", reader.say("let others bid"))
        else:
            continue
        tiles.append(Button(act=str(action), label=chip.word, note=chip.about, bid=chip))
    return tiles


def strength_of(view: View) -> Strength:
    """The order of the cards in this hand: in sooli the ace is lowest (T-WIK-16)."""
    return ACE_LOW if Facts.of(view.facts).kind == "sooli" else ACE_HIGH


def state_words(view: View, voice: Voice) -> tuple[str, ...]:
    """Return no sentences: everything lies in sight."""
    return ()


def reminders(view: View, who: SeatNames, reader: Reader) -> tuple[str, ...]:
    """The meaning of the bids."""
    say = reader.say
    facts = Facts.of(view.facts)
    if facts.soloist is not None and facts.caught:
        return (say("{name} has taken a trick: the sooli is lost.", name=who.name(facts.soloist)),)
    if facts.kind == "sooli" and facts.soloist is not None:
        return (say("{name} plays alone and must not take a trick.", name=who.name(facts.soloist)),)
    if facts.kind == "low":
        return (say("Nobody bid high: both sides want few tricks."),)
    if facts.kind == "high" and facts.bidder is not None:
        return (say("{name} bid high, and wants seven tricks or more.", name=who.name(facts.bidder)),)
    return ()
