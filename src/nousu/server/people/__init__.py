"""People: sessions, what they do at tables, codes, history, progress, reports."""
