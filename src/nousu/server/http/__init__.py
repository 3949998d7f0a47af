"""Requests and connections: middleware, addresses, limits, protocols, metrics."""
