"""The tournament office: people, draw, plan, slips, rulings, standings. It knows results, never cards.

A tournament is a log of events (`log_file`), and everything shown is computed from it (`history`, `model`).
`formats` are the kinds of event, `seating` makes plans, `office` makes one change at a time in a file,
`export` writes results, `simulation` plays whole events with computer players.
"""
