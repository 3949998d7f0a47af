"""Play in a terminal.

`session` holds one person's match against computer players and saves it. `line_mode` plays it in lines of
text, `screen` on a whole screen; `choices` parses typed input, `text` and `drawing` make what both show.
"""
