// Hands: taps, drags and keys at the viewer's cards and at the buttons of the game.
import { act, sure, waits } from "./actions.js";
import { say, tell } from "./live_region.js";
import { fly } from "./motion.js";
import { state, word } from "./state.js";

const looks = document.documentElement.dataset; // what the person has chosen on the page of settings

const cardOf = (name) => state.view.hand?.find(({ card }) => card === name);
const elementOf = (name) => document.getElementById(`card-${name}`);

// A lifted or chosen card goes down as soon as it may not be played any more.
export function forget() {
  if (!cardOf(state.lifted)?.act) state.lifted = "";
  for (const card of state.chosen) if (!cardOf(card)?.choose) state.chosen.delete(card);
}

function tap(card) {
  const own = cardOf(card);
  if (!own) return undefined;
  if (own.choose) return choose(card);
  if (!own.act) return barred(card);
  if (state.lifted === card || looks.taps === "one") return play(card);
  state.lifted = card;
  if (Number(localStorage.getItem("nousu.laid") ?? 0) < 5) say(`${state.words.cards[card]}. ${word("tap_again")}.`);
  return state.draw();
}

function choose(card) {
  if (!state.chosen.delete(card)) {
    if (state.chosen.size === state.view.many.many) state.chosen.delete(state.chosen.values().next().value);
    state.chosen.add(card);
  }
  state.draw();
}

// The rules say best why a card is barred: the table is asked to play it, and refuses with the clause.
function barred(card) {
  const why = document.querySelector("#why, #ask-title"); // while a question is open it takes the line's place
  if (!why || !state.view.my_turn) return;
  if (why.id === "why" && state.view.phase === "play") act(`play ${card}`);
  else tell(why.textContent.trim(), why.id === "why" ? "play" : "");
}

export function play(card) {
  const own = cardOf(card);
  state.lifted = "";
  if (!own || waits()) return;
  localStorage.setItem("nousu.laid", Number(localStorage.getItem("nousu.laid") ?? 0) + 1);
  fly(elementOf(card));
  act(own.act);
}

function press(button) {
  if (waits() || !sure(button.dataset.act, button.dataset.sure)) return undefined;
  if ("next" in button.dataset) return act("next");
  if (button.dataset.from) return act(document.getElementById(button.dataset.from).value);
  if (button.dataset.many) {
    const text = button.dataset.act.replace("{}", [...state.chosen].join(" "));
    state.chosen.clear();
    return act(text);
  }
  if (button.dataset.picks) {
    // A bid tile: the first tap lifts its card (or agrees with the one lifted), the second lays it.
    if (state.lifted && cardOf(state.lifted)?.shape === button.dataset.shape) return play(state.lifted);
    state.lifted = button.dataset.picks;
    return state.draw();
  }
  return act(button.dataset.act);
}

document.addEventListener("click", (event) => {
  const card = event.target.closest("#hand .card");
  const button = event.target.closest("#table button:is([data-act], [data-next], [data-from])");
  if (card && !dragged) tap(card.dataset.card);
  else if (button && !card) press(button);
});

// ---- drags: a card pulled up and let go over the table is played

let drag = null;
let dragged = false;

document.addEventListener("pointerdown", (event) => {
  const card = event.target.closest("#hand .card[data-act]");
  dragged = false;
  drag = card && event.button === 0 ? { card, x: event.clientX, y: event.clientY } : null;
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!dragged && Math.hypot(dx, dy) < 12) return;
  dragged = true;
  drag.card.classList.add("is-dragged");
  drag.card.style.setProperty("--dx", `${dx}px`);
  drag.card.style.setProperty("--dy", `${dy}px`);
});

for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => {
    if (!drag) return;
    const { card, y } = drag;
    drag = null;
    card.classList.remove("is-dragged");
    if (dragged && end === "pointerup" && y - event.clientY > 60) play(card.dataset.card);
    setTimeout(() => { dragged = false; });
  });
}

// ---- keyboard

const RANKS = "23456789tjqka";
// The letters that other languages put on the corners: E is an ace, D a queen, B and Kn a jack.
const COURT = { e: "A", d: "Q", b: "J" };
let typed = "";
let crowned = ""; // the king just typed, which an n makes a jack

function type(key) {
  typed = (typed + key).slice(-3).toLowerCase().replace("10", "t");
  if (key.toLowerCase() === "n" && crowned) {
    if (state.chosen.has(crowned)) tap(crowned);
    typed = `${crowned[0].toLowerCase()}j`;
  }
  crowned = "";
  typed = typed.replace("kn", "j");
  const tail = typed.slice(-2);
  if (tail.length < 2) return;
  for (const [suit, rank] of [[tail[0], tail[1]], [tail[1], tail[0]]]) {
    const sign = rank === "t" ? "10" : COURT[rank] ?? (RANKS.includes(rank) ? rank.toUpperCase() : "");
    const name = "shdc".includes(suit) && sign ? suit.toUpperCase() + sign : "";
    const own = cardOf(name);
    if (!own) continue;
    if (rank === "k") crowned = name;
    typed = "";
    elementOf(name)?.focus();
    if (own.choose || state.lifted !== name) tap(name);
    return;
  }
}

function step(event, cards, at) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by && cards.length) {
    const start = at < 0 ? (by > 0 ? -1 : 0) : at;
    return cards[(start + by + cards.length) % cards.length];
  }
  if (at < 0) return null;
  return { Home: cards[0], End: cards.at(-1) }[event.key];
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, .menu")) return;
  const cards = [...document.querySelectorAll("#hand .card")];
  const next = step(event, cards, cards.indexOf(document.activeElement));
  if (next) {
    event.preventDefault();
    next.focus();
  } else if (event.key === "Enter" && document.activeElement === document.body) {
    if (document.getElementById("next")) act("next");
    else if (state.lifted) play(state.lifted);
  } else if (/^[0-9a-zåäö]$/i.test(event.key)) type(event.key);
});

export let byKeys = false; // whether the person plays by keyboard
addEventListener("keydown", () => { byKeys = true; }, true);
addEventListener("pointerdown", () => { byKeys = false; }, true);

// ---- a button that comes to lie where another one was a moment ago is dead for a while: the finger meant that one

const DEAD = 600; // ms
let gone = []; // buttons that vanished: what they did, where, and until when that spot is spared

const buttons = () => [...document.querySelectorAll("#table button[data-act]:not(.card)")];

export const places = () => buttons().map((button) => (
  { act: button.dataset.act, box: button.getBoundingClientRect(), until: performance.now() + DEAD }
));

const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export function spare(before) {
  const now = performance.now();
  const there = buttons();
  const still = new Set(there.map((button) => button.dataset.act));
  gone = [...gone.filter(({ until }) => until > now), ...before].filter(({ act: text }) => !still.has(text));
  if (!gone.length) return; // to ask where buttons lie has the whole page laid out a second time
  const known = new Set(before.map(({ act: text }) => text));
  for (const button of there) {
    if (known.has(button.dataset.act) || !gone.some(({ box }) => meets(box, button.getBoundingClientRect()))) continue;
    button.toggleAttribute("data-fresh", true);
    setTimeout(() => button.removeAttribute("data-fresh"), DEAD);
  }
}
