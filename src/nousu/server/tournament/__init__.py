"""The tournament desk: pages over tournament files, for the direction, helpers, phones, a beamer, everybody.

`halls` holds the files (reading and writing go on beside the tables, never in their loop), `roles` says who
comes and what they may do, `site` carries out one request; the other modules are pages.
"""
