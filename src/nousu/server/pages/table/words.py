"""The words of the table page that never change, in the reader's language: sent once, with the page.

Braces stand for values that the page fills in.
"""

from collections.abc import Mapping
from functools import cache

from nousu.engine.cards import CARDS
from nousu.engine.messages import pgettext
from nousu.i18n import corner
from nousu.i18n.reader import Reader
from nousu.i18n.sentences import card_words
from nousu.server.pages.site import static
from nousu.server.table.chat import FACES, PICTURES

Words = Mapping[str, object]


@cache
def page_words(reader: Reader) -> Words:
    """The words by name, among them ``corners`` (rank → corner) and ``cards`` (``H10`` → its name)."""
    return {
        "corners": {str(card)[1:]: corner(card.letter, reader.language) for card in CARDS.values()},
        "cards": {str(card): card_words(card, reader.say) for card in CARDS.values()},
        **_table_words(reader),
        **_result_words(reader),
        **_side_words(reader),
        **_chat_words(reader),
        **_lobby_words(reader),
        "faces": {face: words for face, words in zip(FACES, _face_words(reader), strict=True)},
        "pictures": PICTURES,
        "faces_file": static("faces.svg"),
    }


def _face_words(reader: Reader) -> tuple[str, ...]:
    """The names of the drawn faces, in their order."""
    say = reader.say
    return (
        *(say("reindeer"), say("bear"), say("owl"), say("fox"), say("grouse"), say("lynx")),
        *(say("seal"), say("hare"), say("salmon"), say("raven"), say("moose"), say("cat")),
    )


def _table_words(reader: Reader) -> dict[str, str]:
    say = reader.say
    return {
        "agree": say("I agree"),
        "at_any_moment": say("At any moment"),
        "bid_by": say("bid by {name}", name="{name}"),
        "cards_count": say("cards {count}", count="{count}"),
        "claim": say("Claim the rest of the hand"),
        "dealer": say("dealer"),
        "dealer_mark": say("D"),
        "face_down": say("face-down card"),
        "hand_number": say("hand {number}", number="{number}"),
        "just_watch": say("Rather just watch"),
        "last_trick": say("Last trick"),
        "led": say("led the trick"),
        "next": say("Next"),
        "no": say("No"),
        "no_trumps": say("no trumps yet"),
        "only_watch": say("Or just watch: nobody’s cards are shown."),
        "play": say("Play"),
        "question": say("A question at the table"),
        "removed_note": say("You may watch, or open a table of your own."),
        "say_it": say("Say it"),
        "show_sheet": say("Show the score sheet"),
        "stake": say("stake"),
        "skip_tips": say("Skip the tips"),
        "table": say("Table"),
        "tap_again": say("Tap again to lay it"),
        "tip": say("A tip"),
        "way": say("on its way"),
        "why": say("Why?"),
        "why_not_else": say("Why not something else?"),
        "would_consider": say("A good player would consider:"),
        "trick": say("trick {number}", number="{number}"),
        "tricks_count": say("tricks {count}", count="{count}"),
        "tricks_so_far": say("Tricks: {tricks}; see the last trick", tricks="{tricks}"),
        "trumps": say("Trumps so far"),
        "what_do_you_bid": say("What do you bid?"),
        "what_you_can_do": say("What you can do"),
        "you": say("you"),
        "your_hand": say("Your hand"),
    }


def _result_words(reader: Reader) -> dict[str, str]:
    say = reader.say
    return {
        "back_to_moment": say("Back to that moment"),
        "back_to_moment_note": say("see how it really went, or try once more"),
        "check": say("Check the deals"),
        "come_to_rematch": say("Come to the rematch"),
        "come_to_rematch_note": say("the others are waiting there"),
        "continue_tournament": say("Continue in the tournament"),
        "mattered": say("What mattered"),
        "new_match": say("New match"),
        "next_hand": say("Next hand"),
        "rematch": say("Rematch"),
        "rematch_note": say("the same people, the next dealer"),
        "rematch_dealer": say("the same seats, {name} deals", name="{name}"),
        "replay": say("Replay"),
        "take_over": say("Take over from {name}", name="{name}"),
        "take_place": say("Take a computer’s place"),
        "waiting": say("Waiting for the others"),
        "next_in": say("The next hand is dealt in {seconds} s.", seconds="{seconds}"),
        "won_this_evening": say("Matches won this evening"),
        "your_name": say("Your name"),
    }


def _side_words(reader: Reader) -> dict[str, str]:
    say = reader.say
    return {
        "a_problem": say("A problem"),
        "a_silly_play": say("A silly play"),
        "all_rules": say("All rules"),
        "back_to_table": say("Back to the table"),
        "by_keyboard": say("By keyboard: arrows and Enter, or type a card (h9)."),
        "face": say("Your face at this table"),
        "face_letter": say("The first letter of my name"),
        "hand_over": say("Hand my seat over"),
        "hand_over_note": say("To a friend, who plays on with your cards."),
        "leave": say("Leave the table"),
        "leave_note": say("A computer player plays on for you; open the link again to take your seat back."),
        "no_hand_yet": say("No hand has been finished yet."),
        "report": say("Report to the host"),
        "report_more": say("If you like, say more"),
        "report_note": say("Sends this page as you see it, with the record and your settings."),
        "rules": say("Rules at this table"),
        "sheet": say("Score sheet"),
        "side": say("Score sheet and rules"),
        "this_table": say("This table"),
        "to_tournament": say("To the tournament"),
    }


def _chat_words(reader: Reader) -> dict[str, str]:
    say = reader.say
    return {
        "agree_on": say("Agree on these"),
        "between_hands": say("A pair’s card can be changed between hands."),
        "change_card": say("Change your pair’s card"),
        "close": say("Close"),
        "code": say("Signals of expert computer players"),
        "computers_no_signals": say("Other computer players neither give signals nor read them."),
        "no_signals": say("No signals."),
        "own_signal": say("Another signal, in your own words"),
        "report_line": say("Report what {name} said", name="{name}"),
        "report_sure": say("Show it to the host?"),
        "reported": say("shown to the host"),
        "say_something": say("Say something"),
        "send": say("Send"),
        "signals": say("Agreed signals"),
        "talk": say(pgettext("words at the table", "Talk")),
        "talk_new": say("Talk: something new was said"),
        "what_was_said": say("What was said"),
        "whose_messages": say("Whose messages do you want to see?"),
    }


def _lobby_words(reader: Reader) -> dict[str, str]:
    say = reader.say
    return {
        "ask_to_leave": say("Ask {name} to leave", name="{name}"),
        "copied": say("The link is copied."),
        "copy": say("Copy the link"),
        "dealing": say("The cards are dealt."),
        "fill_note": say("the computer fills empty seats"),
        "learn": say("Learn in ten minutes"),
        "play_now": say("Play now"),
        "qr": say("QR code of the link to this table"),
        "scan": say("Scan, or send the link: a nickname is enough."),
        "seated": say("{seated} of {seats} are here.", seated="{seated}", seats="{seats}"),
        "selected": say("The link is selected: copy it by hand."),
        "share": say("Share the link"),
        "sit_down": say("Sit down"),
        "tap_chair": say("Tap a free chair to move."),
        "waiting_for_players": say("Waiting for players"),
    }
