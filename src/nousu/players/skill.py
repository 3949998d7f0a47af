"""The attention of a rule-based player: weaker levels make the oversights of people.

Chance plays no part: a level forgets the small cards of earlier tricks, does not mark the seats out of a
suit, leads by old rules of thumb or counts only the pictures of its hand, and does so in every hand alike.
"""

from collections.abc import Sequence
from typing import NamedTuple

from nousu.engine.cards import CardSet, card_set
from nousu.engine.tricks import Trick


class Attention(NamedTuple):
    """Skill of a player: its memory, its inferences and its considerations."""

    tricks: int = 13
    """Finished tricks of which every card is remembered, the latest ones."""
    high: int = 9
    """The least rank (9 a jack, 12 an ace) that is remembered from every trick."""
    infers: bool = True
    """Whether it draws conclusions from others' play: suits they are out of, leads, raises."""
    weighs: bool = True
    """Whether a lead is weighed by its usual cost; else the rules of thumb of beginners decide."""
    bids: bool = True
    """Whether bids follow the worth of the cards; else the number of pictures and the long suits, in Tuppen
    for two the cards above a king."""
    along: int = 33
    """The number of cards above a king with which it goes along in Tuppen for three or more, whatever the
    chance; 33 are more than there are."""
    ahead: bool = True
    """Whether it sees, in Tuppen for two, that the tricks before the last decide who leads to it; else it
    takes every trick with its highest card."""

    def remembered(self, tricks: Sequence[Trick]) -> CardSet:
        """The cards of finished tricks that are remembered."""
        late = len(tricks) - self.tricks
        return card_set(
            card
            for number, trick in enumerate(tricks)
            for _, card in trick.plays
            if number >= late or card.rank >= self.high
        )


FULL = Attention()
"""Full attention, without search."""
