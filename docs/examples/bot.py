#!/usr/bin/env python3
"""A player for nousu in forty lines: takes tricks cheaply, or avoids them. Try: nousu player-check ./bot.py"""

import json
import sys

RANKS = {"huutopussi": ["6", "7", "8", "9", "J", "Q", "K", "10", "A"], "tuppen": ["J", "Q", "K", "A", "7", "8", "9", "10"]}
CALM = ("pass", "keep", "look", "hold", "no")  # what is said where nothing speaks for more


def choose(view):
    order = RANKS.get(view["game"], ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"])

    def rank(card):
        return order.index(card[1:])

    cards = sorted((action[5:] for action in view["legal"] if action.startswith("play ")), key=rank)
    if not cards:
        strong = sum(max(0, rank(card) - len(order) + 5) for card in view["cards"]) > len(view["cards"]) * 0.8
        suits = "HD" if strong == (view["rules"].get("high_colour") == "red") else "SC"  # a bid card of Tuppi
        bids = [action for action in view["legal"] if action[:5] == "seal " and action[5] in suits]
        wanted = [*bids, "high" if strong else "low", *CALM, *view["legal"]]
        return next(action for action in wanted if action in view["legal"])
    kind = view["facts"].get("kind")
    avoiding = kind == "low" or (kind == "sooli" and view["facts"]["soloist"] == view["seat"])
    if not view["trick"]:
        return "play " + cards[0 if avoiding else -1]
    led = view["trick"][0][1][0]
    best, by = max((rank(card), seat) for seat, card in view["trick"] if card[0] == led)
    under = [card for card in cards if card[0] != led or rank(card) < best]
    over = [card for card in cards if card not in under]
    if avoiding:
        return "play " + (under or over)[-1]
    partner = view["game"] != "tuppen" and by == (view["seat"] + 2) % 4
    return "play " + (over[0] if over and not partner else cards[0])


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], "action": choose(question)}), flush=True)
