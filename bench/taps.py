"""From tap to picture: one Chromium on a phone's screen, one server, both on this machine.

    python -m bench.taps [TAPS]

A tap begins with the system's time of the event that sends an action, and ends after the frame in which the
table shows it. Beside the times, which a busy machine makes longer, stand the processor times of server and
page, which it does not. Ends with exit code 1 if the machine was idle and p95 is over the budget.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

BUDGET = 60.0
"""Milliseconds, of 19 taps in 20."""
_IDLE = 0.5
"""Load a core below which a machine counts as idle."""
_STOPWATCH = """
  window.taps = [];
  window.pictures = 0;
  let pressed = 0, sent = null, heard = 0;
  addEventListener("click", (event) => { pressed = event.timeStamp; }, true);
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    if (text.length > 4) sent = { pressed, at: performance.now() };
    return send.call(this, text);
  };
  window.WebSocket = class extends WebSocket {
    constructor(address) {
      super(address);
      this.addEventListener("message", () => { heard = performance.now(); });  // before the page's own
    }
  };
  new MutationObserver((changes) => {
    if (!changes.some(({ target }) => target.id === "table")) return;
    window.pictures += 1;
    if (!sent) return;
    const begun = sent, came = heard, drawn = performance.now();
    sent = null;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const end = performance.now();
      const { pressed, at } = begun;
      window.taps.push([at - pressed, came - at, drawn - came, end - drawn, end - pressed]);
    };
    requestAnimationFrame(() => port2.postMessage(0));  // a message comes after the frame is drawn
  }).observe(document, { subtree: true, attributeFilter: ["data-seq"] });
"""
_STAGES = ("tap to sent", "sent to heard", "heard to drawn", "drawn to frame", "tap to picture")
_SHARES = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration", "TaskDuration")
_COUNTS = ("RecalcStyleCount", "LayoutCount")


def main() -> int:
    """Print the figures."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
    from playwright.sync_api import sync_playwright

    from page_driver import PHONE, Player, open_table

    path = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        print("no Chromium here; name one in CHROMIUM")
        return 0
    enough = int(sys.argv[1]) if sys.argv[1:] and sys.argv[1].isdecimal() else 120
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, url = _serve(folder)
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = chromium.new_page(viewport=PHONE, locale="en-GB", device_scale_factor=2, has_touch=True)
        page.add_init_script(_STOPWATCH)
        line = page.context.new_cdp_session(page)
        line.send("Performance.enable")
        taps: list[list[float]] = []
        pictures, spent = 0, dict.fromkeys((*_SHARES, *_COUNTS, "server"), 0.0)
        while len(taps) < enough:
            open_table(page, url, "tuppi")
            player, before = Player(page), _figures(line, server.pid)
            while not page.query_selector("#again") and len(taps) + page.evaluate("taps.length") < enough:
                player.act()
            after = _figures(line, server.pid)
            spent = {name: spent[name] + after[name] - before[name] for name in spent}
            taps += page.evaluate("taps")
            pictures += page.evaluate("pictures")
        chromium.close()
        server.terminate()
        server.wait()
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(f"{len(taps)} taps, {pictures} pictures; load a core {load:.1f}; budget {BUDGET:.0f} ms")
    p95 = 0.0
    for name, times in zip(_STAGES, map(sorted, zip(*taps, strict=True)), strict=True):
        p95 = times[int(len(times) * 0.95)]
        print(
            f"{name:<20} best {times[0]:6.1f} ms   p50 {times[len(times) // 2]:6.1f} ms   p95 {p95:6.1f} ms"
        )
    for name, seconds in spent.items():
        each = seconds / pictures
        print(
            f"{name:<20} {each:6.2f} a picture"
            if name in _COUNTS
            else f"{name:<20} {1000 * each:6.2f} ms a picture"
        )
    return int(load < _IDLE and p95 > BUDGET)


def _serve(folder: str) -> tuple["subprocess.Popen[str]", str]:
    environment = os.environ | {"NOUSU_PACE": "0.2", "NOUSU_LIMITS": "off", "NOUSU_WORKERS": "0"}
    command = [sys.executable, "-m", "nousu", "serve", "--port", "0", "--database", f"{folder}/taps.db"]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    return server, server.stdout.readline().split()[3]


def _figures(line: Any, server: int) -> dict[str, float]:
    """Seconds of processor time so far, by what they were for."""
    found = {one["name"]: one["value"] for one in line.send("Performance.getMetrics")["metrics"]}
    ticks = Path(f"/proc/{server}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return {name: found[name] for name in (*_SHARES, *_COUNTS)} | {
        "server": sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    }


if __name__ == "__main__":
    sys.exit(main())
