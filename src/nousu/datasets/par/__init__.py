"""The value of a hand under perfect play, for each game family."""
