"""The server: tables in the browser, for programs, and tournaments.

Rooms, each importing only those below it: `app`, `tournament` (direction), `pages`, `notifications` and
`api`, `http` (limits, protocols), `people` (sessions, actions, history), `live` (tables in memory, one
process), `storage`, `table` (one table as a value), `errors`.
"""
