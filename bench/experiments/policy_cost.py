"""Cost of a choice by the rules of thumb and by the nets (tricks), on hands that no nets are fitted to.

    python -m bench.experiments.policy_cost [60] [tuppi]     so many hands, by the nets of that game's family

`python -m tools.training tuppi FOLDER` makes the nets.
"""

import sys

from tools.training.nets import family_of, fresh_costs


def main() -> None:
    """Print the costs for the games named, Tuppi by default."""
    hands = next((int(word) for word in sys.argv[1:] if word.isdigit()), 60)
    games = [word for word in sys.argv[1:] if not word.isdigit()]
    for game in games or ["tuppi"]:
        family = family_of(game)
        print(f"{game}, {hands} hands, in tricks' worth\n")
        print("| situation | choices | by rules | by the nets |\n|---|---|---|---|")
        for cost in fresh_costs(family, family.policy.packed_weights(), hands):
            print(f"| {cost.situation} | {cost.choices} | {cost.rules:.3f} | {cost.nets:.3f} |", flush=True)


if __name__ == "__main__":
    main()
