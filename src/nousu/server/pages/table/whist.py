"""Tuppi and its cousins on the page: bid chips, bids turned up one by one, sooli, the hill, the result."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from nousu.engine.actions import Seal, Show
from nousu.engine.cards import ACE_HIGH, ACE_LOW, Card, Strength
from nousu.engine.game import Tally, View
from nousu.engine.messages import sentence
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
from nousu.i18n import Signed, Translate, numeral, signed_number
from nousu.server.pages.table import picture
from nousu.server.pages.table.cards import face
from nousu.server.pages.table.common import (
    bars,
    base,
    button,
    hand_cards,
    match_winner,
    on_cards,
    others,
    people,
    reasons,
)
from nousu.server.pages.table.picture import Ask, Hill, Later, Lay, Picture, Plate, Press, Sheet
from nousu.server.pages.table.seat_names import People
from nousu.server.pages.words import word
from nousu.server.table.view import HandSeen, Seen


@lru_cache(256)
def chip(kind: Kind, rules: Rules, say: Translate) -> picture.Bid:
    """The chip of a kind of game at this table: red is rami in Tuppi and low in Minnesota Whist."""
    high, low = rules.words
    if kind == "sooli":
        return picture.Bid(word("sooli", say), "sooli", "black", say("no trick at all"))
    if kind == "high":
        return picture.Bid(word(high.name, say), "rami", ink(True, rules), say("many tricks"))
    return picture.Bid(word(low.name, say), "nolo", ink(False, rules), say("few tricks"))


def kind_of(laid: Card | Bid, rules: Rules) -> Literal["high", "low"]:
    """What a bid says."""
    return "high" if means_high(laid, rules) else "low"


def _lays(view: View, who: People, say: Translate, lang: str) -> tuple[Lay, ...]:
    """The bids in front of the players, numbered in the order of exposing."""
    rules, facts = view.rules, Facts.of(view.facts)
    shown, own = facts.exposed, facts.own_bid
    bidding = facts.phase in ("bid", "auction")
    found = []
    for nth, seat in enumerate(bid_order(rules, view.setup.dealer), 1):
        place = who.place(seat)
        lay = Lay(place, nth)
        if seat in shown:
            what = shown[seat]
            if isinstance(what, Pass):
                lay = lay._replace(bid=picture.Bid(word("pass", say), "no", "black"))
            else:
                up = face(what, say, lang) if isinstance(what, Card) else None
                lay = lay._replace(bid=chip(kind_of(what, rules), rules, say), face=up)
        elif seat == view.seat and own is not None:
            note = say("only you see it") if facts.kind is None else say("stays hidden")
            if isinstance(own, Bid):
                lay = lay._replace(bid=chip(kind_of(own, rules), rules, say), note=note)
            else:
                lay = lay._replace(face=face(own, say, lang), note=note)
        elif seat in facts.committed:
            lay = lay._replace(back=True, note="" if facts.kind is None else say("stays hidden"))
        elif bidding:
            lay = lay._replace(slot=say("your bid") if seat == view.seat else say("thinking"))
        found.append(lay)
    return tuple(found)


_KINDS: tuple[Literal["high", "low"], ...] = ("high", "low")


def _tiles(view: View, say: Translate) -> tuple[Press, ...]:
    """The two bid tiles; each lifts the least telling card that says it."""
    rules = view.rules
    found = []
    bids = [(action, bid_in(action)) for action in view.legal if isinstance(action, Seal)]
    for kind in _KINDS:
        one = chip(kind, rules, say)
        fitting = [(action, bid) for action, bid in bids if bid is not None and kind_of(bid, rules) == kind]
        if not fitting:
            continue
        cards = [bid for _, bid in fitting if isinstance(bid, Card)]
        if not cards:
            spoken = say("is said aloud") if rules.bid_mode == "hand_card" else one.about
            found.append(Press(act=str(fitting[0][0]), label=one.word, note=spoken, bid=one))
            continue
        lowest = min(cards, key=lambda card: card.rank)
        act = str(sealed(lowest))
        found.append(Press(act=act, label=one.word, note=one.about, bid=one, picks=str(lowest)))
    return tuple(found)


def _hint(view: View, say: Translate) -> str:
    """What a bidder should know, in one or two sentences."""
    rules = view.rules
    if Facts.of(view.facts).phase == "auction":
        return say("The first bid decides; four passes make a low hand.")
    if rules.bid_mode == "bid_card":
        return say("Shown in order 1–4: the first high bid decides.")
    if rules.bid_ranks == "any":
        return say("Shown in order 1–4: the first high bid decides. Any card will do and comes back.")
    return say("Shown in order 1–4: the first high bid decides. A card from 3 to 10 will do and comes back.")


def hill(rise: Rise, before: Rise | None, who: People, say: Translate) -> Hill:
    """The marker of `Rise` on the slope of whoever is rising, with its place before the hand."""
    riser, points, target = rise.riser, rise.points, rise.rules.target
    us, them = who.our_side(), 1 - who.our_side()
    where = "none" if riser is None else "us" if riser == us else "them"
    start = before.points if before is not None and before.riser == riser else None
    rising, zero = say("rising"), say("0 points")
    if riser is None:
        spoken = say("Score: nobody is rising, 0–0")
    else:
        name = who.side_name(riser, say)
        spoken = say("Score: {side} is rising, {points} of {target}", side=name, points=points, target=target)
    return Hill(
        side=where,
        score=min(points, target),
        target=target,
        start=start,
        us=who.side_short(us, say),
        them=who.side_short(them, say),
        us_note=rising if riser == us else zero,
        them_note=rising if riser == them else zero,
        spoken=spoken,
    )


def sheet(seen: Seen, who: People, say: Translate) -> Sheet:
    """Hand by hand: game, tricks, points, standing."""
    us, them = who.our_side(), 1 - who.our_side()
    rows = []
    for done in seen.match.played:
        if done.result.void:
            rows.append((str(done.number), say("void"), "–", "–", "–"))
            continue
        facts = Outcome.of(done.result.outcome)
        tricks = f"{facts.tricks[us]}–{facts.tricks[them]}"
        kind = "–" if facts.kind is None else chip(facts.kind, seen.view.rules, say).word
        score = standing(done.tally, who, say)
        rows.append((str(done.number), kind, tricks, _gain(done, who, say), score))
    heads = (say("Hand"), say("Game"), say("Tricks"), say("Points"), say("Score"))
    return Sheet(heads=heads, rows=tuple(rows))


def _gain(done: HandSeen, who: People, say: Translate) -> str:
    """Who won how much in a hand."""
    scored = [(number, points) for number, points in enumerate(done.result.points) if points]
    if not scored:
        return say("broken off") if Outcome.of(done.result.outcome).ended_early else "0"
    return " ".join(f"{who.side_short(number, say)} {signed_number(points)}" for number, points in scored)


def standing(tally: Tally, who: People, say: Translate) -> str:
    """The score after a hand, short."""
    if isinstance(tally, Rise):
        return "0–0" if tally.riser is None else f"{who.side_short(tally.riser, say)} {tally.points}"
    us, score = who.our_side(), tally.score()
    return f"{numeral(score[us])} : {numeral(score[1 - us])}"


def _outcome(seen: Seen, who: People, say: Translate) -> picture.Outcome:
    """The finished hand explained: what was played, tricks as boxes, the clause that pays."""
    done = seen.match.played[-1]
    result, rules = done.result, seen.view.rules
    why = reasons((*result.notes, *(() if result.void else done.tally.notes())), who, say)
    winner = match_winner(seen, who, say) if seen.over else ""
    if result.void:
        return picture.Outcome(
            index=done.index, bid=None, lead="", title=say("The deal is void"), accent="",
            reasons=why, waits=seen.waiting,
        )  # fmt: skip
    facts = Outcome.of(result.outcome)
    us = who.our_side()
    kind, ours = facts.kind, facts.tricks[us]
    assert kind is not None
    one = chip(kind, rules, say)
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
    return picture.Outcome(
        index=done.index,
        bid=one,
        lead=lead,
        title=title,
        accent=_accent(seen, who, say),
        theirs=points < 0,
        won=boxes,
        key=_key(ours, say) if boxes else (),
        reasons=why,
        facts=(
            (say("Score"), standing(done.tally, who, say)),
            (say("Next dealer"), "–" if seen.over else who.name(done.tally.dealer(seen.view.setup))),
        ),
        match=winner,
        waits=seen.waiting,
    )


def _accent(seen: Seen, who: People, say: Translate) -> str:
    """The headline of a hand: what it did to the score."""
    done = seen.match.played[-1]
    if not isinstance(done.tally, Rise):
        ours, theirs = done.result.points[who.our_side()], done.result.points[1 - who.our_side()]
        if ours:
            return say(sentence("{points} point", "{points} points"), points=Signed(ours))
        return say("they get {points}", points=signed_number(theirs))
    before = _risen_before(seen)
    if done.tally.riser is None and before is not None and before.riser is not None:
        return say("{side} falls", side=who.side_name(before.riser, say))
    scorer = Outcome.of(done.result.outcome).scorer
    gained = max(done.result.points)
    if scorer == who.our_side():
        return say("+{points}", points=gained)
    return say("they rise {points}", points=gained)


def _risen_before(seen: Seen) -> Rise | None:
    """Who was rising before the hand finished last, where only one side rises."""
    tally = seen.match.played[-2].tally if len(seen.match.played) > 1 else None
    return tally if isinstance(tally, Rise) else None


def _boxes(ours: int) -> tuple[str, ...]:
    """One box a trick: ours first, those over six marked."""
    return tuple("over" if n >= BOOK else "us" for n in range(ours)) + ("",) * (TRICKS - ours)


def _key(ours: int, say: Translate) -> tuple[tuple[str, int, bool], ...]:
    """Captions under the boxes."""
    theirs = TRICKS - ours
    parts = [(say("ours {count}", count=min(ours, BOOK)), min(ours, BOOK), False)]
    if ours > BOOK:
        parts.append((say("over {count}", count=ours - BOOK), ours - BOOK, True))
    parts.append((say("theirs {count}", count=theirs), theirs, False))
    return tuple(part for part in parts if part[1])


def _seat_notes(view: View, plates: Mapping[str, Plate], say: Translate) -> dict[str, Plate]:
    """Notes on the plates: who bid, who sits out, who leads."""
    facts = Facts.of(view.facts)
    kind: Kind | None = "high" if facts.kind == "sooli" else facts.kind
    called = chip(kind, view.rules, say).word if kind is not None else ""
    found = _noted(tuple(plates.values()), facts.soloist, facts.out, facts.bidder, called, say)
    return {plate.place: plate for plate in found}


@lru_cache(4096)
def _noted(
    plates: tuple[Plate, ...],
    soloist: Seat | None,
    out: Seat | None,
    bidder: Seat | None,
    called: str,
    say: Translate,
) -> tuple[Plate, ...]:
    """The plates with their notes; `called` is what was bid, once that is known."""
    found = []
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
        found.append(
            plate if note == plate.note and away == plate.away else plate._replace(note=note, away=away)
        )
    return tuple(found)


def _line(seen: Seen, table: Picture, who: People, say: Translate) -> tuple[str, bool]:
    """The line of speech where the common one says too little."""
    view, phase = seen.view, table.phase
    mine = table.my_turn
    if phase == "bid":
        return (say("Choose your bid"), True) if mine else (say("The others choose their bids"), False)
    if phase == "auction" and mine:
        return say("Your bid"), True
    if phase == "sooli":
        bidder = Facts.of(view.facts).bidder
        if mine and bidder is not None:
            called = chip("high", view.rules, say).word
            return say("{name} bid {bid}", name=who.name(bidder), bid=called), True
        asked = who.name(view.owed[0])
        return say("{name} is asked: sooli?", name=asked), False
    if phase in ("discard", "give", "return"):
        if not mine:
            return say("{name} exchanges a card", name=who.name(view.owed[0])), False
        return {
            "discard": say("Lay one card aside"),
            "give": say("Give the soloist one card"),
            "return": say("Give one card back"),
        }[phase], True
    if phase == "expose":
        return (
            (say("Turn up your bid"), True)
            if mine
            else (
                say("{name} turns up a bid", name=who.name(view.owed[0])),
                False,
            )
        )
    if phase == "play" and not view.tricks and not view.trick and not mine:
        kind = Facts.of(view.facts).kind
        assert kind is not None
        called = chip(kind, view.rules, say).word
        return say("{bid}: {name} leads", bid=called, name=who.name(view.owed[0])), False
    return table.line, mine


def _ask(view: View, say: Translate) -> Ask | None:
    """The sooli question."""
    if Facts.of(view.facts).phase != "sooli" or not view.legal:
        return None
    points = view.rules.sooli_points
    return Ask(
        title=say("Do you play sooli?"),
        note=say(
            sentence(
                "Alone against both, no trick, ace lowest: {points} point.",
                "Alone against both, no trick, ace lowest: {points} points.",
            ),
            points=points,
        ),
        presses=(
            Press(
                act=str(SOOLI),
                label=word("sooli", say),
                note=say("I take no trick"),
                bid=chip("sooli", view.rules, say),
                sure=say("Really sooli?"),
            ),
            Press(act=str(PASS), label=say("No"), note=say("play on"), main=True),
        ),
    )


def _contract_note(view: View, who: People, say: Translate) -> str:
    """What the chip demands."""
    facts = Facts.of(view.facts)
    kind, bidder = facts.kind, facts.bidder
    if kind == "sooli":
        return say("no trick at all")
    if kind == "low":
        return say("6 at most")
    if bidder is not None and view.seat is not None and not who.ours(bidder):
        return say("they need 7")
    return say("7 needed")


def table(seen: Seen, say: Translate, lang: str) -> Picture:
    """The picture of a whist table for one viewer."""
    view, who = seen.view, people(seen)
    facts = Facts.of(view.facts)
    phase = facts.phase
    shapes = {card: kind_of(card, view.rules) for card in view.cards} if phase == "bid" else {}
    on = on_cards(view.legal, view.cards) if phase != "expose" else {}
    plain = base(seen, say, lang, hand=hand_cards(view, say, lang, acts=on, shapes=shapes))
    bidding = phase in ("bid", "auction", "expose", "sooli")
    tiles = _tiles(view, say) if phase == "bid" else ()
    acts: tuple[Press, ...] = () if tiles or phase == "sooli" else plain.acts
    if phase == "bid":
        acts = tuple(button(act, say) for act in others(view.legal, view.cards) if isinstance(act, Show))
    if phase == "auction":
        tiles = tuple(_spoken(view, say))
        acts = ()
    text, mine = _line(seen, plain, who, say)
    if phase == "expose" and view.legal:
        acts = tuple(replace(button(act, say), main=True) for act in view.legal)
    score, before = seen.match.tally, _risen_before(seen) if seen.resting else None
    return plain.filled(
        template="table/whist.html",
        plates=_seat_notes(view, plain.plates, say),
        lays=_lays(view, who, say, lang) if bidding else (),
        contract=chip(facts.kind, view.rules, say) if facts.kind else None,
        contract_note=_contract_note(view, who, say) if facts.kind else "",
        line=text,
        my_turn=mine,
        ask=_ask(view, say),
        bids=tiles,
        acts=acts,
        hint=_hint(view, say) if tiles else "",
        hill=Later(lambda: hill(score, before, who, say), score, before, who, say)
        if isinstance(score, Rise)
        else None,
        bars=() if isinstance(score, Rise) else bars(seen, view.rules.target, say),
        sheet=Later(lambda: sheet(seen, who, say), seen.match.played, who, say),
        outcome=_outcome(seen, who, say) if seen.resting and seen.match.played else None,
    )


def _spoken(view: View, say: Translate) -> list[Press]:
    """The words of a spoken auction as tiles."""
    found = []
    for action in view.legal:
        bid = bid_in(action)
        if bid is not None:
            one = chip(kind_of(bid, view.rules), view.rules, say)
        elif action == PASS:
            one = picture.Bid(word("pass", say), "no", "black", say("let others bid"))
        else:
            continue
        found.append(Press(act=str(action), label=one.word, note=one.about, bid=one))
    return found


def strength_of(view: View) -> Strength:
    """The order of the cards in this hand: in sooli the ace is lowest (T-WIK-16)."""
    return ACE_LOW if Facts.of(view.facts).kind == "sooli" else ACE_HIGH


def meant(view: View, who: People, say: Translate) -> tuple[str, ...]:
    """What the bids told."""
    facts = Facts.of(view.facts)
    if facts.kind == "sooli" and facts.soloist is not None:
        return (say("{name} plays alone and must not take a trick.", name=who.name(facts.soloist)),)
    if facts.kind == "low":
        return (say("Nobody bid high: both sides want few tricks."),)
    if facts.kind == "high" and facts.bidder is not None:
        return (say("{name} bid high, and wants seven tricks or more.", name=who.name(facts.bidder)),)
    return ()
