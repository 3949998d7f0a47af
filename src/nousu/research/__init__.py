"""The former name of `nousu.integrations`: the very same modules, so nothing is registered twice.

``import nousu.research.pettingzoo`` and ``gymnasium.make("nousu.research.gymnasium:nousu/tuppi-v0")`` go on
working for programs that were written before the package had its present name.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_HERE = f"{__name__}."
_RENAMED = {
    "data": "nousu.datasets.hands",
    "language": "nousu.integrations.llm",
    "publishing": "nousu.datasets.publish",
    "table": "nousu.integrations.single_table",
}


class _SameModule(MetaPathFinder, Loader):
    """Finds a module of `nousu.integrations` under its former name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname.startswith(_HERE) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        name = spec.name.removeprefix(_HERE)
        module = import_module(_RENAMED.get(name, f"nousu.integrations.{name}"))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        module.__spec__ = spec.loader_state  # the import system has put the former name there


def __getattr__(name: str) -> Any:
    try:
        return import_module(_HERE + name)
    except ModuleNotFoundError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None


sys.meta_path.insert(0, _SameModule())
