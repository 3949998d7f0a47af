"""Programs for the people who build Nousu: tested, not shipped."""
