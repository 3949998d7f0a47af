"""Pages over tournament files: for the direction, helpers, phones, a projector and readers.

`files` holds the files (reading and writing never block a table), `roles` knows visitors and their
rights, `visit` carries out one request; the other modules are pages.
"""
