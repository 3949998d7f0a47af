#!/usr/bin/env python3
"""A player for nousu in thirty lines: wins tricks as cheaply as it can. Try: nousu player-check ./bot.py"""

import json
import sys

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def rank(card):
    return RANKS.index(card[1:])


def choose(view):
    cards = sorted((action[5:] for action in view["legal"] if action.startswith("play ")), key=rank)
    if not cards:
        return view["legal"][0]  # bids and answers: the first thing allowed
    if not view["trick"]:
        return "play " + cards[-1]  # lead the highest card
    led = view["trick"][0][1][0]
    best = max(rank(card) for _, card in view["trick"] if card[0] == led)
    winners = [card for card in cards if card[0] == led and rank(card) > best]
    return "play " + (winners or cards)[0]


for line in sys.stdin:
    question = json.loads(line)
    answer = {"id": question["id"], "action": choose(question), "reason": "as cheaply as possible"}
    print(json.dumps(answer), flush=True)
