"""Data sets of hands played by computer players."""
