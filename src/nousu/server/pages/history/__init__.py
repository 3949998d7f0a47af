"""Finished tables: replay, review, verification."""
