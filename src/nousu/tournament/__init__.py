"""The tournament office: people, draw, plan, slips, rulings, standings. It knows results, never cards.

A tournament is a log of events (`chain`), and everything shown is computed from it (`history`, `model`).
`formats` are the kinds of event, `seating` and `pairings` plan who meets whom, `office` makes one change at
a time in a file, `export` writes results, `simulate` plays whole events with computer players.
"""
