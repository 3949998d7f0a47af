"""What a family adds to an evening whose points add up (`formats.drive`), each in a module of its own.

`nousu.games.part` finds it. It may have any of these; without one the totals on a slip are taken as they are:

* ``adds_up(rules)``: whether the points of hands add up under these rules; without it they do.
* ``of_hands(rules, hands)``: the rules of a match that ends after exactly so many hands; None where there are
  none.
* ``by_tricks(result)``: a hand that was played, as the word that ``trick_points`` reads.
* ``trick_points(rules, word, where)``: the points of both sides for a hand written as a word.
* ``check(rules, preset, hands, scores)``: `Refusal` unless so many hands (0: nobody knows) make these totals.
"""
