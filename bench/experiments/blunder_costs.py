"""Cost of the blunders of `bench.blunders`: tricks, in Huutopussi points, of the own side against the other.

    python -m bench.experiments.blunder_costs [2000] [tuppi] [club]    so many hands of four players of a level

At every occasion the true deal is played out twice: after the best card that is a blunder and after the best
that is none, as `expert` rates them. Everybody plays on by the nets of `expert`, in a sooli by rules of thumb.
"""

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence

from bench.blunders import GAMES, card_choices, occasions
from bench.results import interval
from nousu.engine.actions import Action, Give, Play
from nousu.engine.cards import Card, CardSet, card_set
from nousu.engine.game import Hand, View
from nousu.engine.seats import Seat, side
from nousu.games.whist import Facts
from nousu.players.huutopussi import playouts as huutopussi_playouts
from nousu.players.huutopussi import policy as huutopussi_policy
from nousu.players.whist import playouts as whist_playouts
from nousu.players.whist import policy as whist_policy

MOST = 1000.0
"""More units than any card is rated below the best."""


def blunder_cost(hand: Hand, seat: Seat, blunders: CardSet) -> float:
    """Tricks or points that the best of these cards costs the side of `seat` in this deal."""
    view = hand.view(seat)
    cards = [action.card for action in view.legal if isinstance(action, Play)]
    if view.game == "whist":
        behind: Mapping[Action, float] = dict(zip(map(Play, cards), whist_policy.shortfalls(view, MOST), strict=True))
    else:
        behind = huutopussi_policy.shortfalls(view, MOST)
    best = [
        min((card for card in cards if blunders >> card & 1 == bad), key=lambda card: behind[Play(card)])
        for bad in (0, 1)
    ]
    hands = [card_set(hand.view(other).cards) for other in range(4)]
    given = [(by, gift) for by, gift in hand.log if isinstance(gift, Give)]
    if view.game == "whist":
        aside = card_set(card for _, gift in given if gift.to is None for card in gift.cards)
        return _tricks(view, hands, aside, best)
    gave = [card_set(card for by, gift in given if by == other for card in gift.cards) for other in range(4)]
    table = huutopussi_playouts.public_table(view)
    firsts = [Play(card) for card in best]
    nets = huutopussi_policy.packed_weights()
    (good,), (poor,) = huutopussi_playouts.play_out(table, [(*hands, *gave)], firsts, None, nets).ended
    ours, theirs = side(seat), 1 - side(seat)
    return good.earned[ours] - good.earned[theirs] - poor.earned[ours] + poor.earned[theirs]


def _tricks(view: View, hands: Sequence[CardSet], aside: CardSet, best: Sequence[Card]) -> float:
    facts = Facts.of(view.facts)
    table = whist_playouts.public_table(view)
    nets = whist_policy.packed_weights()
    (good,), (poor,) = whist_playouts.play_out(table, [(hands, aside)], best, None, nets).gained
    assert view.seat is not None
    if facts.soloist is not None:
        return (good - poor) * (1 if side(view.seat) == side(facts.soloist) else -1)
    return (good - poor) * (1 if side(view.seat) == 0 else -1) * (-1 if facts.kind == "low" else 1)


def main() -> None:
    """Print one line for each habit."""
    words = sys.argv[1:]
    hands = next((int(word) for word in words if word.isdigit()), 2000)
    game = next((word for word in words if word in GAMES), "tuppi")
    level = next((word for word in words if not word.isdigit() and word not in GAMES), "club")
    costs: dict[str, list[float]] = defaultdict(list)
    made: dict[str, list[float]] = defaultdict(list)
    for hand, seat, card in card_choices(game, level, hands, 1):
        for habit, blunders in occasions(hand.view(seat)).items():
            cost = blunder_cost(hand, seat, blunders)
            costs[habit].append(cost)
            if blunders >> card & 1:
                made[habit].append(cost)
    print("| habit | made | of | a blunder costs | where it was made |\n|---|---|---|---|---|")
    for habit, found in costs.items():
        cells = [
            f"{mean:+.2f} ({low:+.2f} … {high:+.2f})"
            for mean, low, high in (interval(values) for values in (found, made[habit]) if len(values) > 1)
        ]
        print(f"| {habit} | {len(made[habit])} | {len(found)} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
