"""Effects of the log's events on a tournament, by subject: people, plans, slips, rulings.

An event is a JSON object with ``n`` (its entry number), ``at`` (UTC), ``by`` (who) and ``do`` (what); its
other fields are listed with the function that carries it out. Each function takes the tournament before
and gives the one after it, or a `Refusal`.
"""
