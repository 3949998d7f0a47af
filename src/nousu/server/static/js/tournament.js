// Every page of a tournament: it follows what others enter, and this device remembers the tournament.
import { Idiomorph } from "../vendor/idiomorph.js";
import { follow } from "./news.js";

const place = document.querySelector("[data-tournament]");
const KNOWN = "nousu.tournaments";
const REQUEST_TIMEOUT = 5_000;

if (place?.dataset.role === "direction" || place?.dataset.role === "entry") {
  const path = place.dataset.tournament;
  try {
    const known = JSON.parse(localStorage.getItem(KNOWN) ?? "[]").filter((one) => one.path !== path);
    localStorage.setItem(KNOWN, JSON.stringify([{ path, title: place.dataset.called, at: Date.now() }, ...known].slice(0, 12)));
  } catch {
    // a browser that keeps nothing remembers nothing
  }
}

// The server draws the parts marked data-live: they are taken from the same page asked for anew.
const live = () => document.querySelectorAll("[data-live]");
const notice = document.getElementById("behind");

async function renew() {
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" }, signal: AbortSignal.timeout(REQUEST_TIMEOUT) });
    if (answer.status === 403) location.reload();
    if (!answer.ok) return false;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of live()) {
      const now = fresh.getElementById(part.id);
      if (now) Idiomorph.morph(part, now, { ignoreActiveValue: true });
    }
    document.dispatchEvent(new CustomEvent("tournament:renewed", { detail: fresh }));
    return true;
  } catch {
    return false;
  }
}

if (place && live().length) {
  follow({
    address: `${place.dataset.tournament}/news`,
    state: place.dataset.state,
    renew,
    behind: (is) => { if (notice) notice.hidden = !is; },
    // Forty phones do not ask at the same moment.
    spread: place.dataset.role === "read" || place.dataset.role === "table" ? 400 : 0,
  });
}
