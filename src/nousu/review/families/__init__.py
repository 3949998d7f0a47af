"""What each game family adds to the review of a hand."""
