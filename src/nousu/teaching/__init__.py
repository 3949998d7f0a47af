"""Lessons, problems and rule pages: everything that teaches the games."""
