"""The build backend: scikit-build-core, which finds the catalogues compiled when it packs.

Wheels hold the ``.mo`` of every language and no ``.po``, so that an installed package needs no Babel.
"""

import sys
from pathlib import Path
from typing import Any

from scikit_build_core import build as _core
from scikit_build_core.build import *  # noqa: F403 – the hooks that stay as they are

ROOT = Path(__file__).parent.parent


def _compile() -> None:
    sys.path.insert(0, str(ROOT / "src"))
    from nousu.i18n import CATALOGUES, compile_catalogue

    for written in sorted(CATALOGUES.glob("*.po")):
        compile_catalogue(written)


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    """The wheel, with compiled catalogues."""
    _compile()
    return _core.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    """An editable install; catalogues that change later are compiled when they are read."""
    _compile()
    return _core.build_editable(wheel_directory, config_settings, metadata_directory)
