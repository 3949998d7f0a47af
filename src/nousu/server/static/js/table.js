// The table page: it draws what the server says this viewer may know, and sends what this person does.
import { render } from "../vendor/lit-html/lit-html.js";
import { answered, resend, sendBy, settle, speak, waits } from "./table/actions.js";
import { dealtIn, setClocks, tick } from "./table/clock.js";
import { Connection } from "./table/connection.js";
import { forms, pending, stage } from "./table/deck.js";
import { byKeys, forget, places, spare } from "./table/input.js";
import { say, tell, untell } from "./table/live_region.js";
import { land } from "./table/motion.js";
import { html } from "./table/parts.js";
import { countDown, mark, miss, watched } from "./table/presence.js";
import { side } from "./table/side.js";
import { here, state, word } from "./table/state.js";
import { showNew, talk, unsaid } from "./table/talk.js";
import { opened, promise } from "./shuffle_share.js";
import "./table/report.js";

const root = document.getElementById("table");
const net = document.getElementById("net");
const notice = document.getElementById("notice");
const place = root.closest(".place");
const looks = document.documentElement.dataset; // what the person has chosen on the page of settings
const title = document.title;
const drawings = new Map(); // how the tables of each family are drawn, once that is loaded
const hints = document.getElementById("advice") ? await import("./table/hints.js") : null;
const forced = looks.forced ? await import("./table/forced_card.js") : null;
let windowTimer = 0;

// ---- drawing

const table = (view, family) => html`<h1 class="hand-no">${view.title} · ${word("hand_number", { number: view.hand_number })}</h1>
${stage(view, family)}${pending(view)}${forms()}${talk(view)}${side(view)}`;

const load = async (drawing) => drawings.set(drawing, await import(`./table/${drawing}.js`));

state.draw = () => {
  const { view } = state;
  const { family, lobby } = drawings.get(view.drawing);
  const shown = { seq: view.seq, sits: view.seat === null ? "no" : "yes", phase: view.phase, turn: view.my_turn ? "yes" : "no" };
  for (const [name, value] of Object.entries(shown)) if (root.dataset[name] !== String(value)) root.dataset[name] = value;
  document.body.toggleAttribute("data-waits", waits());
  if (lobby) root.removeAttribute("role");
  else root.role = "main";
  place.classList.toggle("place--low", Boolean(view.flat));
  place.classList.toggle("place--bars", Boolean(view.bars?.length));
  place.classList.toggle("place--end", Boolean(view.outcome?.match));
  render(lobby ? lobby(view) : table(view, family), root);
};

// A new view, and what follows from it: focus, marks, calls.
async function show(view) {
  const before = state.view;
  state.view = view;
  if (!drawings.has(view.drawing)) await load(view.drawing);
  if (view.tips?.length && !state.tips && localStorage.getItem("nousu.tips") === null) await import("./table/tips.js");
  if (state.view !== view) return; // a later one came meanwhile
  const moved = before?.seq !== view.seq;
  if (before && moved) state.topples = Boolean(view.hill?.fallen) && (state.topples || !before.hill?.fallen);
  const pressed = before ? places() : [];
  const focused = document.activeElement;
  const at = [...document.querySelectorAll("#hand .card")].indexOf(focused);
  const laid = cardsLaid();
  if (before && moved && view.drawing !== "lobby") untell(); // what it said was about the moment before
  forget();
  settle();
  state.draw();
  land();
  spare(pressed);
  promise();
  remember();
  mark();
  tick();
  showNew(view);
  refocus(focused, at);
  forced?.playForced(looks.forced);
  hints?.outdate(view);
  document.title = (view.my_turn ? "● " : "") + title;
  if (before) call(!before.my_turn && view.my_turn, moved && heard(before, view, laid));
}

// The focus of a person who plays by keyboard goes where the last card was, or to the one thing to do next.
function refocus(focused, at) {
  if (at >= 0 && !document.body.contains(focused)) {
    const cards = document.querySelectorAll("#hand .card");
    (cards[Math.min(at, cards.length - 1)] ?? document.getElementById("next"))?.focus();
  } else if (byKeys && (focused === document.body || !document.body.contains(focused))) {
    document.querySelector("#next, #again")?.focus();
  }
}

const cardsLaid = () => document.querySelectorAll("#trick .card, .mat .cards .card").length;

// The sound of the step from one view to the next; of several the greatest alone.
function heard(before, view, laid) {
  if (view.outcome?.match && !before.outcome?.match) return view.lost ? "" : "summit";
  if (state.topples && !before.hill?.fallen) return "topple";
  if (view.taken && !before.taken) return "trick";
  return cardsLaid() > laid ? "card" : "";
}

// Call the person by vibration, and by sounds where they have asked for them. The sound of the turn comes when they
// look away, or have not acted for a while.
const AWAY = 5000; // ms
let calling = 0;

function call(turn, what) {
  if (turn && looks.buzz !== "off") navigator.vibrate?.(20);
  clearTimeout(calling);
  if (looks.sound !== "on") return;
  if (what) import("./sound.js").then((sound) => sound[what]());
  if (turn) calling = setTimeout(() => { import("./sound.js").then((sound) => sound.turn()); }, document.hidden ? 0 : AWAY);
}

const soundButton = document.getElementById("sound-button");
soundButton.addEventListener("click", () => {
  const on = looks.sound !== "on";
  if (on) looks.sound = "on";
  else delete looks.sound;
  document.cookie = `nousu_sound=${on ? "on" : "off"}; path=/; max-age=31536000; samesite=lax`;
  soundButton.ariaPressed = String(on);
  if (on) import("./sound.js").then((sound) => sound.card());
});

// Store the table for the start page, which leads back here.
function remember() {
  if (state.view.outcome?.match) localStorage.removeItem("nousu.table");
  else if (state.view.seat !== null) localStorage.setItem("nousu.table", JSON.stringify({ path: here, title: state.view.title, at: Date.now() }));
}

// Show the time in which anybody may interrupt.
function ring(seconds) {
  clearTimeout(windowTimer);
  root.toggleAttribute("data-open", seconds !== null);
  if (seconds === null) return;
  for (const one of root.querySelectorAll(".ring")) one.style.setProperty("--window", `${seconds}s`);
  windowTimer = setTimeout(() => root.removeAttribute("data-open"), seconds * 1000);
}

// ---- the connection

// While nobody answers the page says so; what was done already is on its way, and nothing else is to be pressed.
function silent(is) {
  if (is && net.hidden) say(net.textContent);
  net.hidden = !is;
  stuck();
}

// The one attribute that styles ask for: were it "waits", every button would be styled anew at every tap.
const stuck = () => document.body.toggleAttribute("data-stuck", !net.hidden && waits());

async function receive(message) {
  if (message.ok || message.error) {
    unsaid(answered(message));
    if (message.error) tell(message.error, message.clause);
  }
  if (message.view) await show(message.view);
  else if (message.set) {
    if (message.after !== state.view.seq) {
      connection.send({ whole: true }); // something was lost on the way
      return;
    }
    await show({ ...state.view, ...message.set, seq: message.seq });
  } else if (message.ok || message.error) {
    settle();
    state.draw();
    land();
  }
  if (message.open) openShare(message.open);
  if (message.lost) miss(message.lost);
  if (message.clocks) {
    setClocks(message);
    tick();
  }
  if (message.watching !== undefined) watched(message.watching);
  stuck();
  if (message.say) say(message.say);
  if (message.window !== undefined) {
    ring(message.window);
    dealtIn(message.next_in);
  }
}

// Everybody has promised a share of the shuffles: ours is opened.
function openShare(asked) {
  const share = opened(here.split("/")[2], asked);
  if (share) connection.send({ share });
}

const { words, view } = JSON.parse(document.getElementById("first").textContent);
state.words = words;
if (!notice.hidden && view.drawing === "lobby") { // why a form was refused stays in sight as long as people come and go
  state.refused = notice.textContent;
  untell();
}
await show(view);
if (location.hash) location.replace(location.hash); // what the address points at has only now been drawn

const address = new URL(`${here}/live`, location.href);
address.protocol = address.protocol.replace("http", "ws");
const connection = new Connection(address, { opened: resend, received: receive, silent, sits: () => state.view.seat !== null, turn: () => state.view.my_turn });
sendBy(connection);

// The face that this person has chosen goes with them to every table.
const own = (view.plates ?? view.chairs)?.find(({ me }) => me);
const chosen = localStorage.getItem("nousu.face");
if (own && chosen !== null && chosen !== own.face) speak({ face: chosen });

setInterval(() => {
  tick();
  if (state.lost.length) countDown();
}, 1000);
