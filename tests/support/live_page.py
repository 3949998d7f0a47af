"""What a live page holds: the pieces of the last picture, as `static/js/table.js` keeps them."""

import json
from typing import Any


class LivePage:
    """The page's end of a table's live line."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def heard(self, text: str | bytes) -> dict[str, Any]:
        """A message with the whole picture as ``html`` where it brings one."""
        message: dict[str, Any] = json.loads(text)
        if "parts" in message:
            before, self.parts = self.parts, []
            for part in message["parts"]:
                self.parts += [part] if isinstance(part, str) else before[part[0] : sum(part)]
            message["html"] = "".join(self.parts)
        return message
