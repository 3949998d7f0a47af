// A review: one choice at a time beside the list, by its link or the arrow keys; the full answer comes after the first.
import { shares } from "./share_link.js";

const links = () => [...document.querySelectorAll("#review [data-choice]")];

// The address says whose choices are shown, so that everybody it is sent to sees the same.
const address = (hash = location.hash) => `?seat=${document.getElementById("review").dataset.seat}${hash}`;

function choose(step, focus = false) {
  for (const link of links()) {
    const on = link.dataset.choice === step;
    link.ariaCurrent = on ? "true" : null;
    if (on && link.closest("details")) link.closest("details").open = true;
    const panel = document.getElementById(`choice-${link.dataset.choice}`);
    panel.hidden = !on;
    if (on && focus) panel.focus({ preventScroll: innerWidth >= 1000 });
  }
}

function begin(step) {
  const known = links().map((link) => link.dataset.choice);
  if (known.length) choose(known.includes(step) ? step : known[0]);
}

const current = () => links().find((link) => link.ariaCurrent)?.dataset.choice;

document.addEventListener("click", (event) => {
  const link = event.target.closest("#review [data-choice]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.replaceState(null, "", address(link.hash));
  choose(link.dataset.choice, true);
});

document.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const inside = event.target.closest("input, select, textarea, details.menu");
  if (!step || inside || event.altKey || event.ctrlKey || event.metaKey) return;
  if (/Up|Down/.test(event.key) && !event.target.closest(".review-list")) return; // those scroll
  const found = links();
  if (!found.length) return;
  event.preventDefault();
  const at = found.findIndex((link) => link.ariaCurrent);
  const next = found[Math.max(0, Math.min(at + step, found.length - 1))];
  history.replaceState(null, "", address(next.hash));
  choose(next.dataset.choice);
  next.focus({ preventScroll: innerWidth >= 1000 });
});

// The full answer takes the place of the first one; what was looked at stays, and the focus too.
async function refine() {
  const review = document.getElementById("review");
  if (!review.dataset.refine) return;
  const answer = await fetch(review.dataset.refine, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("review");
  if (!fresh) return;
  const [step, held] = [current(), document.activeElement?.closest("[data-choice]")?.dataset.choice];
  const unfolded = [...review.querySelectorAll("section details[open]")].map((one) => one.closest("section").id);
  const status = document.getElementById("refining");
  fresh.querySelector("#refining").replaceWith(status);
  const button = document.getElementById("share");
  fresh.querySelector("#share")?.replaceWith(button);
  review.replaceWith(fresh);
  begin(step);
  for (const id of unfolded) for (const one of document.querySelectorAll(`#${id} details`)) one.open = true;
  document.querySelector(`[data-choice="${held}"]`)?.focus({ preventScroll: true });
  status.textContent = status.dataset.done;
}

begin(location.hash.replace("#choice-", ""));
document.querySelectorAll("#share").forEach((button) => shares(button, () => address()));
refine();
