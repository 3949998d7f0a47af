"""The pages of the server: tables, history, lessons, rules and settings."""
