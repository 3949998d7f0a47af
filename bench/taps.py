"""Time (ms) from a tap to the frame that shows it, in one Chromium beside one server.

    python -m bench.taps [TAPS]

A tap begins with the system's time of the event that sends an action. The first frame after it marks the card
or button as being on its way (goal: p95 within 40); a later one shows the table that the server answers with
(goal: 60). A busy machine makes these times longer, but hardly the processor times of server and page, which
are measured, too. The goals count only on an idle machine.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any

from bench.chromium import chromium_and_server, find_chromium
from bench.results import options, parse, percentile
from bench.server_process import Server

GOALS = {"tap to marked": 40.0, "tap to painted": 60.0}
"""Milliseconds, for 19 taps in 20."""
_IDLE = 0.5
"""Load a core below which a machine counts as idle."""
_STOPWATCH = """
  window.taps = [];
  window.updates = 0;
  window.marks = [];
  let pressed = 0, sent = null, received = 0;
  const painted = (then) => requestAnimationFrame(() => {  // this message arrives after the frame is painted
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = then;
    port2.postMessage(0);
  });
  let waited = false;
  const waits = () => document.body.hasAttribute("data-waits");
  addEventListener("click", ({ timeStamp }) => { pressed = timeStamp; waited = waits(); }, true);
  addEventListener("click", ({ timeStamp }) => {  // after the page's own listeners
    if (!waited && waits()) painted(() => window.marks.push(performance.now() - timeStamp));
  });
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    if (text.length > 4) sent = { pressed, at: performance.now() };
    return send.call(this, text);
  };
  window.WebSocket = class extends WebSocket {
    constructor(address) {
      super(address);
      this.addEventListener("message", () => { received = performance.now(); });  // before the page's own
    }
  };
  new MutationObserver((changes) => {
    if (!changes.some(({ target }) => target.id === "table")) return;
    window.updates += 1;
    if (!sent) return;
    const start = sent, arrived = received, updated = performance.now();
    sent = null;
    painted(() => {
      const end = performance.now();
      const { pressed, at } = start;
      window.taps.push([at - pressed, arrived - at, updated - arrived, end - updated, end - pressed]);
    });
  }).observe(document, { subtree: true, attributeFilter: ["data-seq"] });
"""
_STAGES = ("tap to sent", "sent to received", "received to updated", "updated to painted", "tap to painted")
_TIMES = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration", "TaskDuration")
_COUNTS = ("RecalcStyleCount", "LayoutCount")
"""Figures of Chromium: seconds of processor time, and numbers."""


def main(words: Sequence[str] = ()) -> bool:
    """Play and report the stages of a tap; return whether the goal is missed on an idle machine."""
    parser = options("taps", __doc__)
    parser.add_argument("taps", nargs="?", type=int, default=120, help="taps to measure")
    arguments, report = parse(parser, words)
    path = find_chromium()
    if path is None:
        return False
    from page_driver import PHONE, Player, open_table

    with chromium_and_server(path, "0.2") as (chromium, server):
        page = chromium.new_page(viewport=PHONE, locale="en-GB", device_scale_factor=2, has_touch=True)
        page.add_init_script(_STOPWATCH)
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable")
        taps: list[list[float]] = []
        marks: list[float] = []
        updates, spent = 0, dict.fromkeys((*_TIMES, *_COUNTS, "server"), 0.0)
        while len(taps) < arguments.taps:
            open_table(page, server.base, "tuppi")
            player, before = Player(page), _counters(devtools, server)
            while (
                not page.query_selector("#again")
                and len(taps) + page.evaluate("taps.length") < arguments.taps
            ):
                player.act()
            after = _counters(devtools, server)
            spent = {name: spent[name] + after[name] - before[name] for name in spent}
            taps += page.evaluate("taps")
            marks += page.evaluate("marks")
            updates += page.evaluate("updates")
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(f"{len(taps)} taps, {updates} updates of the page; load a core {load:.1f}")
    stages = {"tap to marked": marks} | dict(zip(_STAGES, map(list, zip(*taps, strict=True)), strict=True))
    for stage, times in stages.items():
        goal = GOALS.get(stage) if load < _IDLE else None
        report.add(f"{stage}, best", min(times), "ms")
        report.add(f"{stage}, p50", percentile(times, 0.5), "ms", n=len(times))
        report.add(f"{stage}, p95", percentile(times, 0.95), "ms", n=len(times), at_most=goal)
    for name, value in spent.items():
        if name in _COUNTS:
            report.add(f"{name} an update", value / updates, "times", n=updates)
        else:
            report.add(f"{name} an update", 1000 * value / updates, "ms", n=updates)
    return bool(report.problems)


def _counters(devtools: Any, server: Server) -> dict[str, float]:
    """Counters of Chromium and processor seconds of the server so far."""
    metrics = {
        metric["name"]: metric["value"] for metric in devtools.send("Performance.getMetrics")["metrics"]
    }
    return {name: metrics[name] for name in (*_TIMES, *_COUNTS)} | {"server": server.cpu()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
