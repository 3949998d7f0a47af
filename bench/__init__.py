"""Every budget of the design as a command: each module here has a ``main`` that prints its figures."""
