"""Print the tables of all families as docs/research/environments.md holds them: ``python -m nousu.env``."""

from nousu.env.layout import table
from nousu.env.walk import EnvFamily
from nousu.extensions import Point, extension
from nousu.games import games

for _name in games():
    _family = extension(EnvFamily, Point.ENV, _name)
    if _family is not None:
        print(f"### {_name.capitalize()}\n\n{table(_family.LAYOUT)}\n")
