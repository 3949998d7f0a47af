"""Time (s) from the link to a table to one's own cards, over a slow line on a slow telephone.

    python -m bench.first_cards [LOADS]

Each load has an empty cache, and Chromium slows line and processor down. A profile is a line's round trip
(ms) and its speed (kbit/s).
"""

import sys
from collections.abc import Sequence

from bench.chromium import chromium_and_server, find_chromium
from bench.results import options, parse, percentile

PROFILES = {"slow 4G": (150, 1_600), "a line of 400 kbit/s": (400, 400)}
"""Round trip (ms) and speed (kbit/s) by name; the first one has the goal."""
SLOWER = 4
"""Factor by which the processor is slowed down."""
GOAL = 2.5
"""Seconds, for half of the loads."""
_SEEN = """
  new MutationObserver((_, observer) => {
    if (!document.querySelector("#hand .card")) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => { window.seen = performance.now() / 1000; }));
  }).observe(document, { subtree: true, childList: true });
"""


def main(words: Sequence[str] = ()) -> bool:
    """Load a table again and again; return whether the goal is missed."""
    parser = options("first_cards", __doc__)
    parser.add_argument("loads", nargs="?", type=int, default=9, help="loads by each profile")
    arguments, report = parse(parser, words)
    path = find_chromium()
    if path is None:
        return False
    from page_driver import PHONE, Player, open_table

    with chromium_and_server(path, "0") as (chromium, server):
        context = chromium.new_context(viewport=PHONE, locale="en-GB", service_workers="block")
        page = context.new_page()
        open_table(page, server.base, "tuppi")
        Player(page).play(until="#table[data-phase=play] #hand .card[data-act]")
        table, person = page.url, context.storage_state()
        context.close()
        for name, (latency, speed) in PROFILES.items():
            times = []
            for _ in range(arguments.loads):
                context = chromium.new_context(
                    viewport=PHONE, locale="en-GB", service_workers="block", storage_state=person
                )
                page = context.new_page()
                page.add_init_script(_SEEN)
                devtools = context.new_cdp_session(page)
                line = {"latency": latency, "downloadThroughput": speed * 125, "uploadThroughput": speed * 60}
                devtools.send("Network.enable")
                devtools.send("Network.emulateNetworkConditions", {"offline": False, **line})
                devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                page.goto(table, wait_until="commit")
                page.wait_for_selector("#hand .card", state="attached")
                page.wait_for_timeout(300)
                times.append(page.evaluate("seen"))
                context.close()
            goal = GOAL if name == next(iter(PROFILES)) else None
            report.add(f"own cards over {name}, best", min(times), "s")
            report.add(f"own cards over {name}, p50", percentile(times, 0.5), "s", n=len(times), at_most=goal)
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
