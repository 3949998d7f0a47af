"""Play in a terminal: `company` moves the computer players, `sitting` holds one person's match and saves
it, `plain` talks in lines, `picture` and `screen` draw the table."""
