"""The route table of an application, walked."""

import re

from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute


def addresses(routes: list[BaseRoute], before: str = "") -> list[tuple[str, str]]:
    """Every method and path of an application, parameters filled in."""
    found = []
    for route in routes:
        if isinstance(route, Mount):
            inside = addresses(list(route.routes), before + route.path)
            found += inside or [("GET", before + route.path + "/none")]
        elif isinstance(route, Route):
            path = re.sub(r"{(\w+)(:\w+)?}", lambda m: "1" if m[1] == "index" else "tuppi", route.path)
            found += [(method, before + path) for method in sorted(route.methods or ()) if method != "HEAD"]
        else:
            assert isinstance(route, WebSocketRoute), route
    return found
