// An exercise: the table is drawn as in play, and what is done there is answered by the page of its address.
import { render } from "../vendor/lit-html/lit-html.js";
import { markDone } from "./done_lessons.js";
import { answered, sendBy, settle, waits } from "./table/actions.js";
import { round, stage } from "./table/deck.js";
import { byKeys, forget } from "./table/input.js";
import { say } from "./table/live_region.js";
import { land } from "./table/motion.js";
import { html } from "./table/parts.js";
import { spokenBars } from "./table/score.js";
import { state } from "./table/state.js";
import { sharesText } from "./share_link.js";

const root = document.getElementById("table");
const place = root.closest(".place");
const coach = document.getElementById("coach");
let family = null; // how the tables of the family are drawn

const spoken = ({ hill, bars }) => html`<p class="hidden">${hill ? hill.spoken : spokenBars(bars)}</p>`;
const coached = (view, own) => html`${coach}${spoken(view)}${(family.round ?? round)(view, own)}`;

state.draw = () => {
  const { view } = state;
  Object.assign(root.dataset, { seq: view.seq, phase: view.phase, turn: view.my_turn ? "yes" : "no" });
  document.body.toggleAttribute("data-waits", waits());
  place.classList.toggle("place--low", Boolean(view.flat));
  place.classList.toggle("place--bars", Boolean(view.bars?.length));
  render(stage(view, { ...family, round: coached }), root);
};

const firstOf = (page) => JSON.parse(page.getElementById("first").textContent);

// Once the one choice is made nothing is asked any more.
const asleep = ({ hand, plates }) => ({
  hand: hand.map((card) => ({ ...card, act: "", choose: false })),
  plates: plates.map((player) => ({ ...player, turn: false })),
  ...{ my_turn: false, slot: "", ask: null, acts: [], bids: [], many: null, more: null },
});

function show(view, done) {
  state.view = { ...view, ...(done ? asleep(view) : {}), seq: (state.view?.seq ?? 0) + 1 };
  state.lifted = "";
  forget();
  settle();
  state.draw();
  land();
}

// The page of a choice: its answer takes the place of the task, its table that of the one drawn.
async function choose(act) {
  const sent = new URLSearchParams({ act });
  const address = `${location.pathname}?${sent}`;
  let page;
  try {
    const answer = "posts" in coach.dataset ? fetch(location.pathname, { method: "POST", body: sent }) : fetch(address);
    page = new DOMParser().parseFromString(await (await answer).text(), "text/html");
  } catch {
    location.assign(address); // the browser says best that there is no connection
    return;
  }
  const found = page.getElementById("coach");
  if (!found) {
    location.assign(address);
    return;
  }
  coach.replaceChildren(...found.childNodes);
  copies();
  coach.toggleAttribute("data-done", "done" in found.dataset);
  show(firstOf(page).view, "done" in found.dataset);
  finish();
  say(document.getElementById("answer").textContent.replace(/\s+/g, " ").trim());
}

// The button that sends the text about the problem of the day to friends.
function copies() {
  const button = document.getElementById("share");
  if (button) sharesText(button);
}

function finish() {
  const { course, lesson, done } = coach.dataset;
  if (done === undefined) return;
  markDone(course, lesson);
  if (byKeys) document.getElementById("next")?.focus({ preventScroll: true });
}

sendBy({ async send({ act, key }) {
  await choose(act);
  answered({ ok: key, seq: state.view.seq });
  settle();
  state.draw();
} });

// A card that may not be chosen is tried all the same: the answer says why it may not.
const WAYS = { bid: "seal", play: "play" };
document.addEventListener("click", (event) => {
  const card = event.target.closest("#hand .card:not([data-act], [data-choose])");
  const way = WAYS[state.view.phase];
  if (!card || !way || !state.view.my_turn || waits()) return;
  event.stopPropagation();
  choose(`${way} ${card.dataset.card}`);
}, true);

const { words, view } = firstOf(document);
state.words = words;
({ family } = await import(`./table/${view.drawing}.js`));
show(view, "done" in coach.dataset);
finish();
copies();
