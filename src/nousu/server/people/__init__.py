"""People: sessions, actions at tables, codes, history, progress, reports."""
