"""What people see in a browser: pages, the table fragment, the sentences for screen readers."""

from nousu.server.pages.spoken import spoken
from nousu.server.pages.table import render_table

__all__ = ["render_table", "spoken"]
