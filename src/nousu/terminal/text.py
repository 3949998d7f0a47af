"""Sentences of the terminal: prompts, scores, hands and results."""

from collections.abc import Iterator, Sequence

from nousu.engine.cards import SUITS, Card
from nousu.engine.game import View
from nousu.engine.match import Played
from nousu.engine.messages import sentence
from nousu.engine.seats import Seat
from nousu.i18n import Translate, numeral
from nousu.i18n.sentences import Voice, capital, rank_words, sentences, suit_words
from nousu.players import load_player, notice
from nousu.terminal.choices import Choices, number_range
from nousu.terminal.session import TerminalMatch


def prompt(view: View, say: Translate) -> str:
    """The question to the person on turn."""
    phase = view.question.topic if view.question is not None else view.phase
    prompts = {
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
        "doubt": say("Do you challenge it?"),
        "blind": say("Look at your cards, or raise blind?"),
        "full marriage": say("Your partner asks for a marriage."),
        "half marriage": say("Your partner asks for the other half."),
        "half of a suit": say("Your partner asks for half a marriage."),
        "other half": say("Your partner holds half of it: do you hold the other half?"),
        "play": say("Your card?") if view.trick else say("You lead."),
    }
    return prompts.get(phase, say("Your turn."))


def hand_sentence(cards: Sequence[Card], say: Translate) -> str:
    """A hand in words, suit by suit: ``Your cards: spades ace king 7; hearts 9`` and so on."""
    if not cards:
        return say("You hold no cards.")
    if cards[0] < 0:
        return say("Your cards are still face down.")
    parts = []
    for number in range(len(SUITS)):
        ranks = [rank_words(card, say) for card in cards if card.suit == number]
        if ranks:
            parts.append(suit_words(number, say) + " " + " ".join(ranks))
    return say("Your cards: {cards}.", cards="; ".join(parts))


def word_choices(offered: Choices, voice: Voice) -> list[str]:
    """The spoken choices, with their numbers where a number is not a choice itself.

    Bids and contracts are one line: the range of their numbers.
    """
    if not offered.numbers:
        return [f"{number} {voice.choice(action)}" for number, action in enumerate(offered.words, 1)]
    others = [action for action in offered.words if action not in offered.numbers.values()]
    return [number_range(offered, voice), *map(voice.choice, others)]


def result_lines(played: Played, voice: Voice) -> Iterator[str]:
    """The reasons for the points of a hand, and the score after it."""
    for note in played.result.notes:
        yield f"{voice.note(note)} ({note.clause})"
    if not played.result.void:
        for note in played.tally.notes():
            yield f"{voice.note(note)} ({note.clause})"
    yield score_sentence(played.tally.score(), voice)


def score_sentence(score: Sequence[int], voice: Voice) -> str:
    """The score as a sentence: ``Our side 24, their side 0``."""
    line = ", ".join(f"{voice.side(at)} {numeral(points)}" for at, points in enumerate(score))
    return capital(line) + "."


def outcome_sentence(session: TerminalMatch, voice: Voice) -> str:
    """The winner of the match."""
    say, winner = voice.say, session.match.winner or ()
    if not winner:
        return say("The match is drawn.")
    return capital(say("{name} wins the match.", name=", ".join(map(voice.side, winner))))


def hand_sentences(view: View, voice: Voice) -> list[str]:
    """One sentence for each event of the hand that this person heard."""
    return sentences(voice, view.heard, [len(trick.plays) for trick in view.tricks])


def trick_sentence(view: View, number: int, voice: Voice) -> str:
    """The winner of a trick; `number` counts from 0."""
    return voice.say("{name} takes the trick.", name=voice.name(view.tricks[number].winner))


def seating_lines(session: TerminalMatch, voice: Voice) -> Iterator[str]:
    """The seats and the draw for the first dealer.

    A line before them says that an old match is resumed, a line behind them that the computer players do not
    know the game.
    """
    if session.resumed:
        yield voice.say("Resuming your match; --new starts a new one.")
    order: list[Seat] = [(session.me + step) % session.match.seats for step in range(session.match.seats)]
    names = ", ".join(voice.name(seat) for seat in order[1:])
    yield voice.say(
        "{name}; the others, clockwise from you: {names}.", name=voice.name(session.me), names=names
    )
    if session.match.seating is not None:
        yield from (f"{voice.note(note)} ({note.clause})" for note in session.match.seating.notes)
    unknown = notice(load_player(session.player), session.match.game.name)
    if unknown is not None:
        yield f"{voice.note(unknown)}."


def count_prompt(offered: Choices, say: Translate) -> str:
    """The number of cards to name, where it is more than one."""
    return (
        say(sentence("Name {count} card.", "Name {count} cards."), count=offered.size)
        if offered.size > 1
        else ""
    )


def hint_sentence(session: TerminalMatch, voice: Voice) -> str:
    """The computer player's choice in the person's place, with its reason."""
    advice, legal = session.advice(), session.view().legal
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
