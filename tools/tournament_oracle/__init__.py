"""A second computation of whole tournaments, to compare the office with."""
