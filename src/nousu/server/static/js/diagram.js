// A hand at one moment, through the eyes of one seat or of all. Everything is in the page already: each card says
// from when to when it is in which hand, and who knew it (parts/diagram.html); here only what is shown changes.
const way = document.getElementById("way");
const slider = document.getElementById("moment");
const cells = [...document.querySelectorAll("#cells a")];
const number = (element, name) => Number(element.dataset[name]);
const [first, last] = [number(way, "first"), number(way, "last")];

let at = number(way, "at");
let eyes = way.dataset.eyes;

export const moment = () => ({ at, eyes });
export const address = () => `${way.dataset.path}?at=${at}${eyes === "" ? "" : `&eyes=${eyes}`}`;

function state(pip, newest) {
  const known = Number(pip.dataset.known.split(" ")[eyes === "" ? 0 : eyes]);
  if ("played" in pip.dataset && number(pip, "until") <= at) return pip.dataset.card === newest ? "now" : "out";
  const there = number(pip, "since") <= at && at < number(pip, "until");
  return there && (eyes === "" || known <= at) ? "" : "gone";
}

function lay() {
  let newest = "";
  for (const pile of document.querySelectorAll("#pile .heap")) {
    pile.hidden = at < number(pile, "first") || at > number(pile, "last");
    const cards = [...pile.querySelectorAll(".lying")];
    const full = number(cards.at(-1), "at") <= at;
    for (const lying of cards) {
      lying.hidden = number(lying, "at") > at;
      lying.querySelector(".card").classList.toggle("is-winner", full && "won" in lying.dataset);
      if (!pile.hidden && !lying.hidden) newest = lying.dataset.card;
    }
  }
  return newest;
}

function words() {
  let now = "";
  for (const line of document.querySelectorAll("#story li[data-at]")) {
    const link = line.firstElementChild;
    const blind = line.dataset.cut && eyes !== "" && !line.dataset.knows.split(" ").includes(eyes);
    if (line.dataset.cut) link.textContent = blind ? line.dataset.cut : line.dataset.full;
    const here = number(line, "at") === at;
    if (here) now = link.textContent.trim();
    link.toggleAttribute("aria-current", here);
    if (here) link.ariaCurrent = "step";
  }
  return now;
}

// Go to a moment, and look through these eyes ("" for all).
export function show(to, through = eyes) {
  at = Math.max(first, Math.min(to, last));
  eyes = through;
  const newest = lay();
  for (const slip of document.querySelectorAll(".holding")) {
    let seen = 0;
    for (const pip of slip.querySelectorAll(".pip")) {
      pip.dataset.state = state(pip, newest);
      seen += pip.dataset.state === "";
    }
    const hidden = Number(slip.dataset.counts.split(" ")[at]) - seen;
    const rest = slip.querySelector(".unseen-cards");
    rest.hidden = !hidden;
    slip.toggleAttribute("data-unseen", Boolean(hidden));
    rest.querySelector("b").textContent = hidden;
  }
  for (const cell of cells) {
    const on = number(cell, "first") <= at && at <= number(cell, "last");
    cell.toggleAttribute("data-ahead", number(cell, "full") > at);
    cell.ariaCurrent = on ? "step" : null;
    if (on) document.getElementById("where").textContent = cell.dataset.title;
  }
  for (const one of document.querySelectorAll("[data-eyes]:not(#way)")) {
    one.ariaCurrent = one.dataset.eyes === eyes ? "true" : null;
  }
  const text = words();
  document.getElementById("words").textContent = text;
  slider.value = at;
  slider.ariaValueText = text;
  way.dispatchEvent(new CustomEvent("moment", { bubbles: true, detail: { at, eyes } }));
}

// The end of the trick that is looked at, or of the one before or after it.
function pile(step) {
  const ends = cells.map((cell) => number(cell, "last"));
  return step > 0 ? ends.find((end) => end > at) ?? last : ends.findLast((end) => end < at) ?? first;
}

const KEYS = {
  ArrowRight: () => at + 1, ArrowLeft: () => at - 1, PageDown: () => pile(1), PageUp: () => pile(-1),
  ArrowDown: () => pile(1), ArrowUp: () => pile(-1), Home: () => first, End: () => last,
};
document.addEventListener("keydown", (event) => {
  const key = !event.altKey && !event.ctrlKey && !event.metaKey && KEYS[event.key];
  const typing = event.target.closest("input:not(#moment), select, textarea, details.menu");
  const paging = event.target !== slider && /^(Page|Home|End|ArrowUp|ArrowDown)/.test(event.key);
  if (!key || typing || paging) return;
  event.preventDefault();
  show(key());
});
slider.addEventListener("input", () => show(Number(slider.value)));
slider.hidden = false;
document.getElementById("cells").inert = true;

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("[data-go], .pick--eyes a, #story a");
  if (!link) return;
  event.preventDefault();
  const go = link.dataset.go;
  if (go) show(go.endsWith("pile") ? pile(go === "pile" ? 1 : -1) : at + Number(go));
  else if ("eyes" in link.dataset) show(at, link.dataset.eyes);
  else show(number(link.parentElement, "at"));
});

// A swipe over the hands is a card on or back; up and down stay the browser's.
let start = null;
const hands = document.getElementById("diagram");
hands.addEventListener("pointerdown", (event) => { start = event.isPrimary ? event.clientX : null; });
hands.addEventListener("pointercancel", () => { start = null; });
hands.addEventListener("pointerup", (event) => {
  const far = start === null ? 0 : event.clientX - start;
  if (Math.abs(far) > 28) show(at - Math.sign(far));
  start = null;
});
