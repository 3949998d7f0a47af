"""Nousu in other packages (PettingZoo, Gymnasium, RLCard, OpenSpiel, language models), players that learn,
data sets and the atlas. docs/research/index.md says which part answers which question."""
