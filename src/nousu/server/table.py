"""The table as a value: who sits where, what happened, what it does next by itself and when."""

from nousu.server.seen import ChanceSeen, HandSeen, MatchSeen, Seen

__all__ = ["ChanceSeen", "HandSeen", "MatchSeen", "Seen"]
