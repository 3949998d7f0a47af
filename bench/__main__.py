"""Run all benchmarks, or those named: ``python -m bench [engine solver …]``."""

import importlib
import pkgutil
import sys

import bench

names = sys.argv[1:] or [module.name for module in pkgutil.iter_modules(bench.__path__) if module.name[0] != "_"]
for name in names:
    print(f"\n== {name} ==", flush=True)
    importlib.import_module(f"bench.{name}").main()
