// Every page of a tournament: it follows what others enter, and this device remembers the tournament.
import { Idiomorph } from "../vendor/idiomorph.js";

const place = document.querySelector("[data-tournament]");
const KNOWN = "nousu.tournaments";

if (place?.dataset.role === "direction" || place?.dataset.role === "entry") {
  const path = place.dataset.tournament;
  try {
    const known = JSON.parse(localStorage.getItem(KNOWN) ?? "[]").filter((one) => one.path !== path);
    localStorage.setItem(KNOWN, JSON.stringify([{ path, title: place.dataset.called, at: Date.now() }, ...known].slice(0, 12)));
  } catch {
    // a browser that keeps nothing remembers nothing
  }
}

// What follows is drawn by the server: parts marked data-live are taken from the same page asked for anew.
const live = () => document.querySelectorAll("[data-live]");
let asking = false;
let again = false;

async function renew() {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of live()) {
        const now = fresh.getElementById(part.id);
        if (now) Idiomorph.morph(part, now, { ignoreActiveValue: true });
      }
      document.dispatchEvent(new Event("tournament:renewed"));
    } else if (answer.status === 403) {
      location.reload();
    }
  } catch {
    again = false; // no line: the next message asks anew
  }
  asking = false;
  if (again) {
    again = false;
    renew();
  }
}

if (place && live().length) {
  let first = true;
  let source = null;
  const listen = () => {
    source = new EventSource(`${place.dataset.tournament}/news`);
    source.addEventListener("message", () => {
      // Forty phones do not ask at the same moment.
      if (!first) setTimeout(renew, place.dataset.role === "read" ? Math.random() * 400 : 0);
      first = false;
    });
  };
  listen();
  // A page in the background lets its line go: a browser has only six for one server.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      source?.close();
      source = null;
    } else if (!source) {
      first = false;
      listen();
    }
  });
}
