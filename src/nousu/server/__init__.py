"""Tables in the browser: who sits where, what is stored, what each seat is shown.

Read in this order: `seen` (what a viewer may know), `dealing` (shuffles that can be verified), `table`
(the table as a value: time in, actions out), `store` (events on disk), `thinking` (computer players in
separate processes), `desk` (all tables of one server), `live` (WebSocket), `guard` (headers, origins,
limits, sessions), `api`, `pages`, `app`.
"""
