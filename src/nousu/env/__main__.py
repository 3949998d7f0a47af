"""Print the tables of all families as docs/research/environments.md holds them: ``python -m nousu.env``."""

from nousu.env.layout import table
from nousu.games import games, part

for _name in games():
    _module = part("nousu.env", _name)
    if _module is not None:
        print(f"### {_name.capitalize()}\n\n{table(_module.LAYOUT)}\n")
