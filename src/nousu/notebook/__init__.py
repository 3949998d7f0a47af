"""Displays of cards, hands, views and matches for notebooks."""
