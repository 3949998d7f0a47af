// Plays the only card that can be played, for a person who has chosen that (settings). An answer that comes at once
// would tell everybody that there was no choice: it waits as long as one of this person's last choices took. That the
// last card of a hand is no choice is known to all.
import { play } from "./input.js";
import { state } from "./state.js";

const SHORT = 900; // ms before a last card
const LATEST = 12; // so many choices are remembered
const [LEAST, MOST] = [700, 15_000]; // ms that a remembered choice counts at least and at most
const took = [1600, 2400, 3300]; // ms; as long as nothing is known of this person
let choosing = 0; // since when the person has a choice; 0: there is none
let waiting = ""; // the card that will be played
let timer = 0;

const cards = ({ my_turn: turn, hand = [] }) => (turn ? hand.filter(({ act }) => act) : []);
const asksElse = ({ acts, ask, bids, many }) => acts.length || ask || bids.length || many;

// The one card there is, where nothing else can be done.
function only(which) {
  const { view } = state;
  const found = cards(view);
  if (found.length !== 1 || asksElse(view) || (which !== "all" && view.hand.length > 1)) return "";
  return found[0].card;
}

// After each view; `which` is last or all.
export function playForced(which) {
  const now = performance.now();
  const choice = cards(state.view).length > 1;
  if (choice && !choosing) choosing = now;
  if (!choice && choosing) {
    took.push(Math.min(MOST, Math.max(LEAST, now - choosing)));
    took.splice(0, took.length - LATEST);
    choosing = 0;
  }
  const card = only(which);
  if (card === waiting) return;
  clearTimeout(timer);
  waiting = card;
  if (!card) return;
  const wait = state.view.hand.length === 1 ? SHORT : took[Math.floor(Math.random() * took.length)];
  timer = setTimeout(() => {
    waiting = "";
    if (only(which) === card) play(card);
  }, wait);
}
