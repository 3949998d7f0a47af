"""The content of a live page: the view it was sent first, with the fields that were sent since."""

import json
from typing import Any


class LivePage:
    """The page's end of a table's live line."""

    def __init__(self) -> None:
        self.view: dict[str, Any] = {}

    def heard(self, text: str | bytes) -> dict[str, Any]:
        """Add the whole present view as ``view`` to a message that brings a view or changes of one."""
        message: dict[str, Any] = json.loads(text)
        if "set" in message:
            assert message["after"] == self.view["seq"], "a page would ask for the whole view"
            message["view"] = self.view | message["set"]
        if "view" in message:
            self.view = message["view"]
            assert self.view["seq"] == message["seq"]
        return message
