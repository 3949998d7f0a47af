"""Share of cards that decide a value of rami (%), and of imagined deals covered by a solved one (%)."""

from random import Random

from bench.solver import deals
from nousu.engine.cards import card_set, cards_of
from nousu.solver import Position, Rami, Solution, covered, solve


def main(count: int = 20, worlds: int = 40) -> None:
    """Print one line for each number of cards in a hand."""
    rng = Random("patterns")
    for size in (13, 9, 7, 5, 4, 3):
        pinned, known = 0.0, 0
        for hands in deals("patterns", count, size):
            others = [card for hand in hands[1:] for card in cards_of(hand)]
            solved: list[tuple[Position, Solution]] = []
            for _ in range(worlds):
                rng.shuffle(others)
                thirds = (card_set(others[size * seat : size * seat + size]) for seat in range(3))
                position = Position(hands=(hands[0], *thirds), turn=0)
                if any(covered(earlier, solution, position) for earlier, solution in solved):
                    known += 1
                    continue
                solved.append((position, solve(position, Rami(), want="value")))
                pinned += (solved[-1][1].pattern or 0).bit_count() / (4 * size)
        share = pinned / (count * worlds - known)
        print(
            f"rami, {size:2} cards: {100 * share:3.0f} % of the cards decide a value; "
            f"{100 * known / count / worlds:4.1f} % of {worlds} imagined deals covered by an earlier one"
        )


if __name__ == "__main__":
    main()
