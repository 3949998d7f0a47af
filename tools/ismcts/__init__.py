"""Information-set Monte Carlo tree search as a yardstick for players."""
