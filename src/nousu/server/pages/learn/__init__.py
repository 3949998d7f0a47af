"""Rules, lessons, problems and mistakes."""
