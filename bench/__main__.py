"""Run all benchmarks, or those named: ``python -m bench [engine solver …]``."""

import importlib
import pkgutil
import sys

import bench

found = [module.name for module in pkgutil.iter_modules(bench.__path__) if not module.name.startswith("_")]
names = sys.argv[1:] or found
if strange := [name for name in names if name not in found]:
    sys.exit(f"{', '.join(strange)}: no such benchmark; there are {', '.join(found)}")
missed = []
for name in names:
    print(f"\n== {name} ==", flush=True)
    if importlib.import_module(f"bench.{name}").main():
        missed.append(name)
if missed:
    sys.exit(f"{', '.join(missed)}: not as it should be, see above")
