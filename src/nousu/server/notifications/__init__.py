"""Notices to closed pages (Web Push, RFC 8030): it is your turn, a friend waits at the table.

`schedule` chooses the notices, `webpush` sends it, `safe_http` connects to the public internet
only.
"""
