// Plays the only card that can be played, for a person who has chosen that (settings). An answer that comes at once
// would tell everybody that there was no choice: it waits as long as one of this person's last choices took. That the
// last card of a hand is no choice is known to all.
const SHORT = 900; // ms before a last card
const LATEST = 12; // so many choices are remembered
const [LEAST, MOST] = [700, 15_000]; // ms that a remembered choice counts at least and at most
const took = [1600, 2400, 3300]; // ms; as long as nothing is known of this person
let choosing = 0; // since when the person has a choice; 0: there is none
let waiting = ""; // the card that will be played
let timer = 0;

const cards = () => [...document.querySelectorAll("#hand .card[data-act]")];
const asked = () => document.getElementById("table").dataset.turn === "yes";
const others = "#table .acts--table .btn, #table .ask .btn, #table .bid, #hand .card[data-choose]";

// The one card there is, where nothing else can be done.
function only(which) {
  const found = asked() && !document.querySelector(others) ? cards() : [];
  const last = document.querySelectorAll("#hand .card").length === 1;
  return found.length === 1 && (which === "all" || last) ? found[0] : null;
}

// After each picture.
export function forced(which, play) {
  const now = performance.now();
  const choice = asked() && cards().length > 1;
  if (choice && !choosing) choosing = now;
  if (!choice && choosing) {
    took.push(Math.min(MOST, Math.max(LEAST, now - choosing)));
    took.splice(0, took.length - LATEST);
    choosing = 0;
  }
  const card = only(which);
  if (card?.dataset.card === waiting) return;
  clearTimeout(timer);
  waiting = card?.dataset.card ?? "";
  if (!card) return;
  const last = document.querySelectorAll("#hand .card").length === 1;
  const wait = last ? SHORT : took[Math.floor(Math.random() * took.length)];
  timer = setTimeout(() => {
    waiting = "";
    const still = only(which);
    if (still?.dataset.card === card.dataset.card) play(still);
  }, wait);
}
