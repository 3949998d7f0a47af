"""The parts shared by all card games. No third-party package, no I/O, no clock, no chance.

Read in this order: `cards`, `seats`, `actions`, `question`, `tricks`, `game` (the one interface), `match`,
`record`, and `laws`, the kit every game must pass.
"""
