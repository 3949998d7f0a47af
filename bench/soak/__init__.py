"""Long forms of the server's promises against real server processes: ``python -m bench.soak [kills cuts …]``.

`bench.soak.forms` lists the forms. Each plays over loopback, records every acknowledgement and compares that
with the log at the end. Goal of all: no event lost, doubled or out of order.
"""

from collections.abc import Sequence


def main(words: Sequence[str] = ()) -> bool:
    """Run the forms named, or all of them; return whether there was a fault."""
    from bench.soak.forms import main as run_forms

    return run_forms(words)
