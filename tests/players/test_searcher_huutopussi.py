"""The searching player of Huutopussi asks its partner only what can be affirmed."""

from random import Random

from nousu.engine.match import Match
from nousu.engine.seats import CHANCE
from nousu.games import find
from nousu.games.huutopussi import AskFull, AskHalf, No, call_of, said
from nousu.players import named
from nousu.players.huutopussi.searcher import may_succeed
from nousu.players.searcher import imagined


def after_a_denial(seed):
    """Views of seats that may ask again what their partner has denied in this hand, with the question."""
    family, rules = find("huutopussi")
    rng = Random(seed)
    for _ in range(300):
        match = Match.start(family, rules, 4).deal(rng)
        denied = {}
        asked = None
        while not match.played and match.hand.owed() != (CHANCE,):
            seat = match.hand.owed()[0]
            view = match.hand.view(seat)
            for action in view.legal:
                if action in denied.get(seat, ()):
                    yield view, action
            action = rng.choice(view.legal)
            word = said(action) if hasattr(action, "word") else None
            if isinstance(word, AskFull | AskHalf):
                asked = (seat, action)
            elif asked and action == call_of(No()):
                denied.setdefault(asked[0], []).append(asked[1])
            match = match.apply(seat, action)


def test_what_was_denied_is_not_asked_again():
    found = 0
    for view, action in after_a_denial(1):
        worlds = imagined(view, 8, Random(2))
        marriages = view.facts.marriages
        if isinstance(said(action), AskHalf) and worlds:
            assert not may_succeed(view, action, worlds), (action, marriages)
            found += 1
        if found == 20:
            return
    raise AssertionError(f"only {found} such moments were met")


def test_cards_and_declarations_are_never_held_back():
    family, rules = find("huutopussi")
    match = Match.start(family, rules, 4).deal(Random(3))
    while match.hand.view(None).phase != "play":
        seat = match.hand.owed()[0]
        match = match.apply(seat, named("rules").choose(match.hand.view(seat), None, 1).action)
    view = match.hand.view(match.hand.owed()[0])
    assert all(may_succeed(view, action, []) for action in view.legal if not hasattr(action, "word"))
