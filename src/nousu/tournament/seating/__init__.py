"""Seating plans and pairings."""
