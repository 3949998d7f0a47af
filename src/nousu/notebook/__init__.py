"""Displays of cards, hands, views, matches and positions in notebooks.

`register_displays` tells IPython how to show them; ``import nousu`` calls it where IPython is loaded, and
``%load_ext nousu.notebook`` does so at any time. Other notebooks call `html` and `svg`.
"""

from nousu.notebook.register import load_ipython_extension, register_displays

__all__ = ["load_ipython_extension", "register_displays"]
