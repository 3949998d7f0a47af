"""Pages for browsers: whole pages, the table fragment, sentences for screen readers."""

from nousu.server.pages.table.fragment import render_table
from nousu.server.pages.table.live_region import announcement

__all__ = ["announcement", "render_table"]
