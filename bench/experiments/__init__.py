"""One-off trials, each with a page: question, command, result, consequence.

Each is run as a module of this package. They are outside lint, types and site; ``python -m bench``
runs none of them. Some make data of the package, whose files name the command.
"""
