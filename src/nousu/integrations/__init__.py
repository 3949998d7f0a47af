"""Nousu in other packages, and players that learn.

PettingZoo, Gymnasium, RLCard, OpenSpiel and language models; docs/research/index.md says which part answers
which question.
"""
