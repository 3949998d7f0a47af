"""Compiled templates on disk, as Python keeps compiled modules: in ``__pycache__`` beside them.

Compiling all of them takes a starting server longer than reading them back. Where the folder cannot be
written, or `sys.dont_write_bytecode` is set, they are compiled at every start.
"""

import hashlib
import sys
from contextlib import suppress
from pathlib import Path

import jinja2
from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket

from nousu.server.pages import template_whitespace

_FOLDER = "__pycache__"


def bytecode_cache(folder: Path) -> FileSystemBytecodeCache:
    """The bytecode cache of a folder of templates.

    Its key is the text of the template, the version of Jinja and the rules about line breaks.
    """
    rules = jinja2.__version__.encode() + Path(template_whitespace.__file__).read_bytes()
    program = hashlib.sha256(rules).hexdigest()[:12]
    return _Cache(str(folder / _FOLDER), f"%s.{program}.{sys.implementation.cache_tag}")


class _Cache(FileSystemBytecodeCache):
    def get_bucket(self, environment: Environment, name: str, filename: str | None, source: str) -> Bucket:
        try:
            return super().get_bucket(environment, name, filename, source)
        except Exception:  # a damaged file, or one of another program
            return Bucket(environment, self.get_cache_key(name, filename), self.get_source_checksum(source))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                Path(self.directory).mkdir(exist_ok=True)
                super().dump_bytecode(bucket)
