"""Seating plans: who meets whom in which round."""
