"""Ids for addresses: of 64 signs, as many as are needed, with a letter or digit at both ends.

Chat programs leave a hyphen or an underscore at the end of a link out of it.
"""

import base64
import secrets
from collections.abc import Callable
from itertools import count

SIGNS_AFTER_LINKS = ".,;:!?)]>'\"*»”’…"
"""Signs that a sentence or a chat program puts behind a link."""


def new_id(size: int) -> str:
    """A random id of that many bytes, which nobody can guess.

    >>> len(new_id(12))
    16
    """
    return made_id(lambda _: secrets.token_bytes(size))


def made_id(digest: Callable[[int], bytes]) -> str:
    r"""The first id with good ends that the digests of the numbers from 0 on give; 3 bytes are 4 signs.

    >>> made_id(lambda number: (b"\xff\xff\xff", b"abc")[number])
    'YWJj'
    """
    for number in count():
        text = base64.urlsafe_b64encode(digest(number)).decode().rstrip("=")
        if text[0].isalnum() and text[-1].isalnum():
            return text
    raise AssertionError
