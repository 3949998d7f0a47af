"""Run all benchmarks, or those named: ``python -m bench [engine solver …]``."""

import importlib
import pkgutil
import sys

import bench

found = [module.name for module in pkgutil.iter_modules(bench.__path__)]
names = sys.argv[1:] or [name for name in found if not name.startswith("_")]
for name in names:
    print(f"\n== {name} ==", flush=True)
    importlib.import_module(f"bench.{name}").main()
