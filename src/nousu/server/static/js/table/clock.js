// Clocks of the players on turn, counted down on the line that says whose turn it is.
import { say } from "./live_region.js";
import { word } from "./state.js";

const SHORT = 10_000; // ms
let clocks = [];
let me = null;
let warn = "";
let warned = 0; // the clock that was spoken of

export function setClocks(message) {
  const now = performance.now();
  clocks = message.clocks.map(({ seat, left, bank }) => ({ seat, ends: now + 1000 * left, over: now + 1000 * (left + bank) }));
  ({ me, warn } = message);
}

let deal = 0; // when the next hand is dealt although somebody has not asked for it

export function dealtIn(seconds) {
  deal = seconds === undefined ? 0 : performance.now() + 1000 * seconds;
  countDeal();
}

function countDeal() {
  const line = document.getElementById("next-in");
  if (!line) return;
  line.hidden = !deal;
  if (deal) line.textContent = word("next_in", { seconds: Math.max(0, Math.ceil((deal - performance.now()) / 1000)) });
}

const time = (ms) => {
  const s = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
};

// Show the viewer's own clock, else the one with the least time; a plus when the bank of the hand is drawn on.
export function tick() {
  countDeal();
  const line = document.querySelector("#why, #ask-title");
  if (!line) return;
  const now = performance.now();
  const mine = clocks.find(({ seat }) => seat === me);
  const one = mine ?? [...clocks].sort((a, b) => a.over - b.over)[0];
  if (!one) {
    delete line.dataset.clock;
    return;
  }
  line.dataset.clock = one.ends > now ? time(one.ends - now) : `+${time(one.over - now)}`;
  line.toggleAttribute("data-short", one.over - now < SHORT);
  if (mine && one.over - now < SHORT && warned !== one.over) {
    warned = one.over;
    say(warn);
  }
}
