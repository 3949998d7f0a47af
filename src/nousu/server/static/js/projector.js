// A wall turns its pages and runs the clock by itself. The space bar stops the pages and lets them go on, the
// arrows turn them, S changes between seating and standings, G strikes the gong.
import { gong } from "./sound.js";

const EACH = 15_000;
const SMALLEST = 0.55;
const WHOLE = 0.75;
const STEP = 0.05;
const DAY = 86_400_000;
const LONG = 60 * 60_000;
const WINDOW = 15 * 60_000;
const AFTER = 10 * 60_000;
const DOTS = 8;
const small = matchMedia("(max-width: 699px)");
const body = document.getElementById("far");
const counter = document.getElementById("far-pages");
const view = document.getElementById("far-view");
const sound = document.getElementById("far-sound");
const bar = document.getElementById("far-bar");
let turn = 0;
let still = false;
let loud = false;
let first = "";
let shown = "";
let turned = Date.now();
let before = Infinity;

// Names are never cut: where one does not fit, the whole page goes a size down; a few sizes are given for names
// that stay in one line.
function fit(page) {
  const tight = () => page.scrollHeight > page.clientHeight + 1
    || [...page.querySelectorAll(".top10 > li, .seating > li, .far-names li")].some((line) => (
      line.scrollHeight > line.clientHeight + 1 || line.scrollWidth > line.clientWidth + 1
    ));
  const broken = () => [...page.querySelectorAll(".far-side bdi")].some((name) => (
    name.offsetHeight > 1.8 * parseFloat(getComputedStyle(name).fontSize)
  ));
  const sized = (size) => page.style.setProperty("--fit", size.toFixed(2));
  let largest = 0;
  for (let size = 1; size >= SMALLEST; size -= STEP) {
    sized(size);
    if (tight()) continue;
    largest ||= size;
    if (size < WHOLE || !broken()) break;
  }
  const last = Number(page.style.getPropertyValue("--fit"));
  if (last < WHOLE && largest >= WHOLE) sized(largest);
}

function show() {
  if (body.dataset.first !== first) {
    first = body.dataset.first;
    shown = first;
    turn = 0;
  }
  const has = (name) => body.querySelector(`[data-page][data-view=${name}]`);
  if (!has(shown)) shown = has("seats") ? "seats" : "ranks";
  const pages = [...body.querySelectorAll(`[data-page][data-view=${shown}]`)];
  const at = pages.length ? ((turn % pages.length) + pages.length) % pages.length : 0;
  for (const part of document.querySelectorAll("[data-view]")) {
    part.hidden = part.dataset.view !== shown || (!small.matches && part.matches("[data-page]") && part !== pages[at]);
  }
  view.hidden = !has("seats") || !has("ranks");
  view.textContent = shown === "seats" ? view.dataset.ranks : view.dataset.seats;
  counter.replaceChildren();
  if (small.matches || !pages.length) return;
  fit(pages[at]);
  if (pages.length < 2) return;
  const here = document.createElement("b");
  here.textContent = pages[at].dataset.here;
  const dotted = pages.length > DOTS ? [] : pages;
  counter.append(here, ...dotted.map((page) => {
    const dot = document.createElement("i");
    dot.classList.toggle("is-on", page === pages[at]);
    return dot;
  }));
}

// ---- the clock: time until the round begins, then the time since ------------------------------------------

// Milliseconds until a time of day; negative: since then, within half a day.
function until(text, now) {
  const [hours, minutes] = text.split(":").map(Number);
  const then = new Date(now);
  then.setHours(hours, minutes, 0, 0);
  return ((then - now + 1.5 * DAY) % DAY) - DAY / 2;
}

// Show the next item of the programme, within half a day.
function tellNext(now) {
  const line = document.getElementById("far-next");
  if (!line) return;
  const coming = JSON.parse(line.dataset.programme)
    .map(([time, text]) => ({ time, text, left: until(time, now) }))
    .filter(({ left }) => left > 0)
    .sort((a, b) => a.left - b.left)[0];
  line.hidden = !coming;
  if (coming) line.textContent = line.dataset.then.replace("{text}", () => coming.text).replace("{time}", coming.time);
}

function clockText(left) {
  const seconds = Math.abs(Math.ceil(left / 1000));
  return `${left < 0 ? "+" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function tell() {
  const now = new Date();
  const count = document.getElementById("far-count");
  const clock = document.getElementById("far-now");
  clock.textContent = now.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  tellNext(now);
  const left = count.dataset.starts ? until(count.dataset.starts, now) : Infinity;
  const runs = left < LONG && left > -AFTER;
  count.hidden = !runs;
  bar.hidden = !runs || left <= 0;
  if (runs) {
    count.textContent = left <= 0 && left > -5000 ? count.dataset.go : clockText(left);
    bar.firstElementChild.style.width = `${Math.min(1, left / WINDOW) * 100}%`;
  }
  if (loud && before > 0 && before < EACH && left <= 0) gong();
  before = left;
  const soon = left > 0 && left < EACH;
  if (!still && !soon && Date.now() - turned >= EACH) {
    turned = Date.now();
    turn += 1;
    show();
  }
}

function change() {
  shown = shown === "seats" ? "ranks" : "seats";
  turn = 0;
  turned = Date.now();
  show();
}

function strike() {
  loud = !loud;
  sound.setAttribute("aria-pressed", String(loud));
  if (loud) gong(); // a browser lets a page be heard only after somebody has touched it
}

setInterval(tell, 250);
document.addEventListener("tournament:renewed", () => { show(); tell(); });
addEventListener("resize", show);
view.addEventListener("click", change);
sound.hidden = false;
sound.addEventListener("click", strike);
document.addEventListener("keydown", (event) => {
  if (event.target.closest("button, a")) return;
  if (event.key === " ") still = !still;
  else if (event.key === "ArrowRight") turn += 1;
  else if (event.key === "ArrowLeft") turn -= 1;
  else if (event.key === "s" || event.key === "S") change();
  else if (event.key === "g" || event.key === "G") gong();
  else return;
  event.preventDefault();
  turned = Date.now();
  show();
});
document.fonts.ready.then(show);
show();
tell();
