"""Notices to closed pages (Web Push, RFC 8030): it is your turn, a friend waits at the table.

`due` says who is to be told what, `sending` sends it, `reaching` keeps that within the open internet.
"""
