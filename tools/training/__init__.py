"""Training of the nets of the expert player."""
