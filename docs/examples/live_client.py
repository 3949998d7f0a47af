#!/usr/bin/env python3
"""A player at the live line of a table, in fifty lines: does the first thing it may, and says what it hears.

    python live_client.py http://127.0.0.1:8000 TABLE TOKEN

The token is that of ``POST /api/v1/session``, and its person sits at the table. Needs ``pip install websockets``.
"""

import asyncio
import json
import sys
import uuid

import websockets


def offers(view):
    """The texts of the actions that the view offers now."""
    buttons = [*view.get("bids", ()), *view.get("acts", ()), *(view.get("ask") or {}).get("presses", ())]
    found = [one["act"] for one in (*buttons, *view.get("hand", ())) if one["act"]]
    found += [act for act, _ in (view.get("more") or {}).get("choices", ())]
    if view.get("many"):
        chosen = [card["card"] for card in view["hand"] if card["choose"]][: view["many"]["many"]]
        found.append(view["many"]["act"].replace("{}", " ".join(chosen)))
    return found


async def play(server, table, token):
    """Play the match to its end."""
    address = f"{server.replace('http', 'ws', 1)}/t/{table}/live"
    view, acted = {}, -1
    async with websockets.connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as line:
        async for text in line:
            message = json.loads(text)
            if "after" in message and message["after"] != view.get("seq"):
                await line.send(json.dumps({"whole": True}))
                continue
            view = message.get("view") or {**view, **message.get("set", {})}
            if message.get("say"):
                print(message["say"], flush=True)
            outcome = view.get("outcome") or {}
            if outcome.get("match"):
                return
            if view.get("seq", -1) > acted:
                key, acts = uuid.uuid4().hex, offers(view)
                if outcome.get("waits"):
                    await line.send(json.dumps({"next": True, "key": key}))
                elif acts:
                    await line.send(json.dumps({"act": acts[0], "seq": view["seq"], "key": key}))
                acted = view["seq"]


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
