"""Environments for learning: every family with numbered actions and one documented observation.

`Lanes` plays many hands at once in the compiled core; `Walk` is one match by the Python rules, which are the
authority. Both number actions and observations by the `Layout` of the family
(docs/research/environments.md). Needs NumPy: ``pip install 'nousu[env]'``.
"""

from nousu.env.lanes import HAND_OVER, MATCH_OVER, Lanes, Step
from nousu.env.layout import Layout
from nousu.env.walk import Walk, history_of, replayed

__all__ = ["HAND_OVER", "MATCH_OVER", "Lanes", "Layout", "Step", "Walk", "history_of", "replayed"]
