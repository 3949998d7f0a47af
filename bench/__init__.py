"""Benchmarks of the budgets: each module measures one subject and compares its figures with their goals.

``python -m bench`` runs the short ones; run as a module of its own, each takes options. With
``--result FILE`` each figure is also appended to a file as a row of JSON (`bench.results.Report`).
"""
