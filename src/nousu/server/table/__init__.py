"""One table as a value, without clock, disk or event loop.

Values below `table` (events, seats, options, chat, claims, shuffle, view), commands and views above it.
"""
