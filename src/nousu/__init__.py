"""Nousu ("the rise"): the northern trick-taking games, to play, direct, solve and study.

The package is a stack of floors; imports go down only (tests/test_house.py):
``cli`` → ``terminal``, ``server``, ``research`` → ``words`` → ``tournament``, ``players`` →
``games``, ``solver`` → ``engine``. This module, ``engine`` and ``games`` need no third-party package.
"""

__version__ = "0.1.0"
