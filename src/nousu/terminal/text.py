"""What the terminal says: prompts, standings, hands and results, each a whole sentence."""

from collections.abc import Iterator, Sequence

from nousu.engine.actions import Action, Call
from nousu.engine.cards import SUITS, Card
from nousu.engine.game import View
from nousu.engine.match import Played
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat
from nousu.i18n import Translate, numeral
from nousu.i18n.sentences import Voice, capital, rank_words, sentences
from nousu.players import load_player, notice
from nousu.terminal.choices import Choices
from nousu.terminal.session import Sitting


def prompt(view: View, say: Translate) -> str:
    """What the person is asked now."""
    phase = view.question.topic if view.question is not None else view.phase
    asked = {
        "bid": say("Lay a card face down as your bid."),
        "auction": say("Your bid?"),
        "expose": say("Turn up your bid."),
        "sooli": say("Will you play sooli?"),
        "discard": say("Lay one card aside."),
        "give": say("Choose what you give your partner."),
        "return": say("Choose what you give back."),
        "contract": say("What contract do you name?"),
        "pictures": say("Keep your cards, or lay them down as four pictures?"),
        "raise": say("Do you go along?"),
        "poor": say("Do you go along against the poor man?"),
        "doubt": say("Do you doubt it?"),
        "blind": say("Look at your cards, or raise blind?"),
        "full marriage": say("Your partner asks for a marriage."),
        "half marriage": say("Your partner asks for the other half."),
        "play": say("Your card?") if view.trick else say("You lead."),
    }
    return asked.get(phase, say("Your turn."))


def hand_sentence(cards: Sequence[Card], say: Translate) -> str:
    """A hand by suits, in words: ``Your cards: spades ace king 7; hearts 9.``"""
    if not cards:
        return say("You hold no cards.")
    suits = (say("spades"), say("hearts"), say("diamonds"), say("clubs"))
    if cards[0] < 0:
        return say("Your cards are still face down.")
    parts = []
    for number in range(len(SUITS)):
        ranks = [rank_words(card, say) for card in cards if card.suit == number]
        if ranks:
            parts.append(suits[number] + " " + " ".join(ranks))
    return say("Your cards: {cards}.", cards="; ".join(parts))


def word_choices(words: Sequence[Action], voice: Voice) -> list[str]:
    """The spoken choices with their numbers; a long row of bids is told by its ends."""
    bids = [action for action in words if isinstance(action, Call) and action.word.isdecimal()]
    lines = []
    for number, action in enumerate(words, 1):
        if len(bids) > 6 and action in bids[1:]:
            continue
        if len(bids) > 6 and action == bids[0]:
            step = int(bids[1].word) - int(bids[0].word)
            ends = {"low": bids[0].word, "high": bids[-1].word, "step": step}
            lines.append(voice.say("{low} to {high} by {step}: type the number", **ends))
        else:
            lines.append(f"{number} {voice.choice(action)}")
    return lines


def result_lines(played: Played, voice: Voice) -> Iterator[str]:
    """Why a hand is worth what it is, and the standing after it."""
    for note in played.result.notes:
        yield f"{voice.note(note)} ({note.clause})"
    if not played.result.void:
        for note in played.tally.notes():
            yield f"{voice.note(note)} ({note.clause})"
    yield standing(played.tally.score(), voice)


def standing(score: Sequence[int], voice: Voice) -> str:
    """The score: ``Our side 24, Their side 0.``"""
    line = ", ".join(f"{voice.side(one)} {numeral(points)}" for one, points in enumerate(score))
    return capital(line) + "."


def ending(sitting: Sitting, voice: Voice) -> str:
    """Who has won the match."""
    say, winner = voice.say, sitting.match.winner or ()
    if not winner:
        return say("The match is drawn.")
    return capital(say("{name} wins the match.", name=", ".join(map(voice.side, winner))))


def heard_sentences(view: View, voice: Voice) -> list[str]:
    """Every event of the hand as this person heard it."""
    return sentences(voice, view.heard, [len(trick.plays) for trick in view.tricks])


def trick_sentence(view: View, number: int, voice: Voice) -> str:
    """Who took a trick."""
    return voice.say("{name} takes the trick.", name=voice.name(view.tricks[number].winner))


def seating_lines(sitting: Sitting, voice: Voice) -> Iterator[str]:
    """Who sits where, and how the first dealer was found; that an old match goes on, if one does, and that
    the computer players do not know the game, if so."""
    if sitting.resumed:
        yield voice.say("Resuming your match; --new starts a new one.")
    order: list[Seat] = [(sitting.me + step) % sitting.match.seats for step in range(sitting.match.seats)]
    names = ", ".join(voice.name(seat) for seat in order[1:])
    yield voice.say(
        "{name}; the others, clockwise from you: {names}.", name=voice.name(sitting.me), names=names
    )
    if sitting.match.seating is not None:
        yield from (f"{voice.note(note)} ({note.clause})" for note in sitting.match.seating.notes)
    unknown = notice(load_player(sitting.player), sitting.match.game.name)
    if unknown is not None:
        yield f"{voice.note(unknown)}."


def needed(found: Choices, say: Translate) -> str:
    """How many cards are to be named, where it is more than one."""
    return (
        say(sentence("Name {count} card.", "Name {count} cards."), count=found.size) if found.size > 1 else ""
    )


def hint(sitting: Sitting, voice: Voice) -> str:
    """What the computer player would do in the person's place, and why."""
    advice, legal = sitting.advice(), sitting.view().legal
    if advice is None and legal:
        return voice.say("I would say nothing now.")
    if advice is None:
        return voice.say("There is nothing to choose now.")
    choice = voice.choice(advice.action)
    if len(legal) == 1 and advice.reason is None:
        return voice.say("Nothing else is possible: {choice}.", choice=choice)
    if advice.reason is None:
        return voice.say("I would choose: {choice}.", choice=choice)
    reason = voice.note(advice.reason).rstrip(".") + "."
    return voice.say("I would choose: {choice}. {reason}", choice=choice, reason=reason)
