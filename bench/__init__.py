"""Benchmarks of the budgets: each module measures one subject and compares its figures with their goals."""
