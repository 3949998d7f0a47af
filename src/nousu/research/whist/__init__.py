"""Research on the whist family: its hands as OpenSpiel walks through them, and OpenSpiel as a player."""
