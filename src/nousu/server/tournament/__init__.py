"""Pages over tournament files: for the direction, helpers, phones, a projector and readers.

`files` holds the files (reading and writing never block a table), `roles` says who a visitor is and what
they may do, `visit` carries out one request; the other modules are pages.
"""
