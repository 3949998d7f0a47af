"""Events, people and reviews on disk: SQLite or PostgreSQL."""
