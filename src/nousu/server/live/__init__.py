"""Tables in memory of one process: rooms, presence, worker processes."""
