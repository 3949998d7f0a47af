// The table page. The server draws; this sends actions, morphs fragments in, speaks, and moves the focus.
import { Idiomorph } from "../vendor/idiomorph.js";
import { opened, promise } from "./shuffle_share.js";
import { clocked, tick } from "./clock.js";
import { talked, talks, unsaid } from "./chat.js";

const live = document.getElementById("live");
const notice = document.getElementById("notice");
const net = document.getElementById("net");
const table = () => document.getElementById("table");
const seq = () => Number(table().dataset.seq);
const unsent = new Map(); // key → message, until the server has answered
const asides = new Map(); // the same of what is said at the table: it keeps nobody from playing
let awaited = 0; // the number of the event our last action became
const title = document.title;
const here = location.pathname.split("/").slice(0, 3).join("/"); // a refused form leaves a longer address
let socket = null;
let parts = []; // the pieces of the picture shown
let tries = 0;
const looks = document.documentElement.dataset; // what the person has chosen on the page of settings
let before = 0; // cards on the table in the picture before
let lifted = ""; // the card that a second tap plays
const chosen = new Set(); // the cards of a choice of several
let typed = "";
let windowTimer = 0;
let tellTimer = 0;

// ---- the line to the server -----------------------------------------------------------------------------

const BEAT = "b"; // heartbeat: we are here; are you?
const HERE = "h"; // we are here, and have just heard from you: no answer is due
const EVERY = 2950; // ms between two heartbeats, less what the timer may be early by
const SILENCE = 1450; // ms after a beat without a word: the line is there, but nobody answers
const GIVE_UP = 6000; // ms of silence after which another line is tried
let beaten = 0; // when the beat was said that nobody has answered yet; 0: none
let said = 0; // when a beat was said last
let told = 0; // when we were sent something last, answers to beats apart

function connect() {
  const address = new URL(`${here}/live`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const line = new WebSocket(address);
  socket = line;
  beaten = 0;
  said = -EVERY; // the first beat follows at once: a page that has sent none is never missed
  line.addEventListener("open", () => {
    tries = 0;
    answered();
    for (const message of [...unsent.values(), ...asides.values()]) line.send(JSON.stringify(message));
  });
  line.addEventListener("message", ({ data }) => {
    if (line !== socket) return;
    answered();
    if (data === BEAT) return;
    told = performance.now();
    heard(JSON.parse(data));
  });
  line.addEventListener("close", () => { if (line === socket) again(); });
}

function again() {
  socket = null;
  silent(tries >= 1);
  const wait = Math.min(10_000, 250 * 2 ** tries++) * (0.7 + 0.6 * Math.random());
  setTimeout(connect, wait);
}

function answered() {
  beaten = 0;
  silent(false);
}

// While nobody answers the page says so; what was done already is on its way, and nothing else is to be pressed.
function silent(is) {
  if (is && net.hidden) say(net.textContent);
  net.hidden = !is;
  stuck();
}

// The one attribute that styles ask for: were it "waits", every button would be styled anew at every tap.
const stuck = () => document.body.toggleAttribute("data-stuck", !net.hidden && document.body.hasAttribute("data-waits"));

setInterval(() => {
  if (!socket || (socket.readyState !== WebSocket.OPEN && !beaten)) {
    if (socket) beaten = performance.now(); // a server that does not even take the line
    return;
  }
  const now = performance.now();
  const waits = now - beaten;
  if (!beaten) {
    if (now - said < EVERY) return;
    if (told <= said) beaten = now;
    said = now;
    // Nobody waits for people who only watch: while they are sent pictures, they need not say that they are there.
    if (beaten || table().dataset.sits === "yes") socket.send(beaten ? BEAT : HERE);
  } else if (waits > GIVE_UP) {
    const old = socket;
    again();
    old.close();
  } else if (waits > SILENCE) silent(true);
}, 500);

function send(message, waiting = unsent) {
  const key = crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(16)).join("");
  const whole = { ...message, key };
  waiting.set(key, whole);
  busy();
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(whole));
}

const act = (text) => send(text === "next" ? { next: true } : { act: text, seq: seq() });

// Until the picture shows what was done, the page says that it is waiting, and for which card.
function busy() {
  document.body.toggleAttribute("data-waits", unsent.size > 0 || seq() < awaited);
  stuck();
  const going = new Set([...unsent.values()].map((message) => message.act));
  for (const card of document.querySelectorAll("#hand .card[data-act]")) {
    if (going.has(card.dataset.act)) card.dataset.way = net.dataset.way;
    else delete card.dataset.way;
  }
}

function heard(message) {
  if (message.ok && !asides.delete(message.ok)) {
    unsent.delete(message.ok);
    awaited = message.seq;
  }
  if (message.error) {
    unsaid(asides.get(message.key));
    if (message.key && !asides.delete(message.key)) unsent.delete(message.key);
    tell(message.error, message.clause);
  }
  if (message.parts) {
    // A piece is new, or it is one we hold, with some that follow it: [first, number].
    parts = message.parts.flatMap((part) => (typeof part === "string" ? part : parts.slice(part[0], part[0] + part[1])));
    draw(parts.join(""));
  }
  if (message.open) open(message.open);
  if (message.lost) miss(message.lost);
  if (message.clocks) {
    clocked(message);
    tick(say);
  }
  if (message.watching !== undefined) watched(message.watching);
  busy();
  if (message.say) say(message.say);
  ring(message.window);
}

// Whose line is gone: a mark at the seat, and one row with the seconds until a computer player goes on.
let lost = [];

function miss(now) {
  const known = new Set(lost.map(({ seat }) => seat));
  lost = now.map((one) => ({ ...one, until: performance.now() + 1000 * (one.left ?? 0) }));
  const fresh = lost.find(({ seat }) => !known.has(seat));
  if (fresh) say(counted(fresh));
  const box = document.getElementById("lost");
  const focused = document.activeElement?.dataset.standIn;
  box.hidden = !lost.length;
  box.replaceChildren(...lost.map((one) => {
    const row = document.createElement("p");
    row.append(Object.assign(document.createElement("span"), { textContent: counted(one) }));
    if (one.offer) {
      const button = Object.assign(document.createElement("button"), { className: "btn", textContent: one.offer });
      button.dataset.standIn = one.seat;
      button.addEventListener("click", () => send({ stand_in: one.seat }));
      row.append(button);
    }
    return row;
  }));
  if (focused) box.querySelector(`[data-stand-in="${focused}"]`)?.focus();
  mark();
}

function watched(text) {
  const count = document.getElementById("watching");
  count.textContent = text;
  count.hidden = !text;
  count.closest(".place").toggleAttribute("data-watched", Boolean(text));
}

const counted = (one) => one.text.replace("{left}", Math.max(0, Math.ceil((one.until - performance.now()) / 1000)));

function mark() {
  const notes = new Map(lost.map(({ seat, note }) => [`seat-${seat}`, note]));
  for (const seat of document.querySelectorAll("[id^=seat-]")) {
    if (notes.has(seat.id)) seat.dataset.lost = notes.get(seat.id);
    else delete seat.dataset.lost;
  }
}

setInterval(() => {
  tick(say);
  document.querySelectorAll("#lost span").forEach((row, at) => { row.textContent = counted(lost[at]); });
}, 1000);

// Everybody has promised a share of the shuffles: ours is opened.
function open(asked) {
  const share = opened(location.pathname.split("/")[2], asked);
  if (share) socket?.send(JSON.stringify({ share }));
}

function say(text) {
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = text; });
}

const READ = 5000;
const LINKED = 20_000; // time to read it and to reach the link

// Something the person must see: shown for a while, and spoken. A refusal leads to the rule that says so.
function tell(text, clause = "") {
  notice.textContent = text;
  if (clause) {
    const why = Object.assign(document.createElement("a"), { textContent: notice.dataset.why, href: `${notice.dataset.rules}#${clause}` });
    notice.append(" ", why);
  }
  notice.hidden = false;
  clearTimeout(tellTimer);
  tellTimer = setTimeout(() => { notice.hidden = true; }, clause ? LINKED : READ);
  say(text);
}

// ---- drawing --------------------------------------------------------------------------------------------

function draw(html) {
  const mine = table().dataset.turn;
  const seq = table().dataset.seq;
  const pressed = places();
  const focused = document.activeElement;
  const place = [...document.querySelectorAll("#hand .card")].indexOf(focused);
  const waiting = html.includes('data-phase="lobby"');
  // Taken away with the focus on it, a card would have the page laid out in the middle of the change.
  if (place >= 0 && !html.includes(`data-card="${focused.dataset.card}"`)) focused.blur();
  Idiomorph.morph(table(), html, {
    morphStyle: "outerHTML",
    callbacks: {
      // What the person has opened stays open, and what is written stays written; lifting is put back below.
      beforeAttributeUpdated: (name, node) => !(name === "open" && node.localName === "details")
        && !(name === "value" && node.matches("input.field")),
      beforeNodeMorphed: (node) => node.localName !== "textarea",
      // Why a form was refused stays as long as people come and go; the next form brings a page of its own.
      beforeNodeRemoved: (node) => !(waiting && node.role === "alert"),
    },
  });
  if (table().dataset.seq !== seq) notice.hidden = true; // what it said was about the moment before
  if (!playable(lifted)) lifted = "";
  spare(pressed);
  ask();
  for (const card of chosen) if (!document.querySelector(`[data-choose="${card}"]`)) chosen.delete(card);
  address();
  promise();
  remember();
  show();
  mark();
  tick(say);
  talked();
  if (place >= 0 && !document.body.contains(focused)) {
    const cards = document.querySelectorAll("#hand .card");
    (cards[Math.min(place, cards.length - 1)] ?? document.querySelector("#next"))?.focus();
  } else if (focused === document.body || !document.body.contains(focused)) {
    const next = document.querySelector("#next, #again");
    if (next && keys) next.focus();
  }
  byItself();
  document.title = (table().dataset.turn === "yes" ? "● " : "") + title;
  call(mine === "no" && table().dataset.turn === "yes", table().dataset.seq !== seq);
}

// Who is called: by vibration, and by a sound where the person has asked for one (settings).
function call(turn, moved) {
  if (turn && looks.buzz !== "off") navigator.vibrate?.(20);
  const laid = document.querySelectorAll("#trick .card, .mat .cards .card").length;
  const fell = moved && laid > before;
  before = laid;
  if (looks.sound === "on" && (turn || fell)) import("./sound.js").then((sound) => (turn ? sound.turn() : sound.card()));
}

// A button that comes to lie where another one was a moment ago is dead for a while: the finger was meant for that one.
const DEAD = 600;
let gone = []; // buttons that vanished: what they did, where, and until when that spot is spared

const buttons = () => [...document.querySelectorAll("#table button[data-act]:not(.card)")];
const places = () => buttons().map((button) => (
  { act: button.dataset.act, box: button.getBoundingClientRect(), until: performance.now() + DEAD }
));

const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function spare(before) {
  const now = performance.now();
  const there = buttons();
  const still = new Set(there.map((button) => button.dataset.act));
  gone = [...gone.filter(({ until }) => until > now), ...before].filter(({ act }) => !still.has(act));
  if (!gone.length) return; // to ask where buttons lie has the whole picture laid out a second time
  const known = new Set(before.map(({ act }) => act));
  for (const button of there) {
    if (known.has(button.dataset.act) || !gone.some(({ box }) => meets(box, button.getBoundingClientRect()))) continue;
    button.toggleAttribute("data-fresh", true);
    setTimeout(() => button.removeAttribute("data-fresh"), DEAD);
  }
}

// A card without a choice, where the person wants it played.
function byItself() {
  if (looks.forced) import("./forced_card.js").then(({ forced }) => forced(looks.forced, play));
}

// What the start page needs to lead back here.
function remember() {
  const sits = table().dataset.sits === "yes";
  if (document.querySelector("#again")) localStorage.removeItem("nousu.table");
  else if (sits) localStorage.setItem("nousu.table", JSON.stringify({ path: here, title: title.split(" · ")[0], at: Date.now() }));
}

// The server need not know under which name it was reached; the page does.
function address() {
  const link = document.getElementById("address");
  if (link) link.textContent = link.href;
  const button = document.getElementById("share");
  if (button && navigator.share) button.hidden = false;
}

let keys = false; // whether the person plays by keyboard
addEventListener("keydown", () => { keys = true; }, true);
addEventListener("pointerdown", () => { keys = false; }, true);

const byCard = (card) => (card ? document.querySelector(`#hand [data-card="${card}"]`) : null);
const playable = (card) => byCard(card)?.dataset.act;

function show() {
  for (const card of document.querySelectorAll("#hand .card[aria-pressed]")) {
    const name = card.dataset.card;
    card.ariaPressed = String(card.dataset.choose ? chosen.has(name) : name === lifted);
  }
  const shape = byCard(lifted)?.dataset.shape;
  for (const tile of document.querySelectorAll(".bid[data-picks]")) tile.ariaPressed = String(tile.dataset.shape === shape);
  for (const many of document.querySelectorAll("button[data-many]")) many.disabled = chosen.size !== Number(many.dataset.many);
}

function ring(seconds) {
  clearTimeout(windowTimer);
  if (seconds === undefined) return;
  const root = table();
  root.toggleAttribute("data-open", seconds !== null);
  if (seconds === null) return;
  for (const one of root.querySelectorAll(".ring")) one.style.setProperty("--window", `${seconds}s`);
  windowTimer = setTimeout(() => root.removeAttribute("data-open"), seconds * 1000);
}

// ---- hands ----------------------------------------------------------------------------------------------

function tap(card) {
  if (card.dataset.choose) {
    const name = card.dataset.card;
    if (!chosen.delete(name)) {
      const most = Number(document.querySelector("button[data-many]").dataset.many);
      if (chosen.size === most) chosen.delete(chosen.values().next().value);
      chosen.add(name);
    }
    return show();
  }
  if (!card.dataset.act) {
    const why = document.querySelector("#why, #ask-title"); // while a question is open it takes the line's place
    if (!why || table().dataset.turn !== "yes") return undefined;
    // The rules say best why a card is barred: the table is asked to play it, and refuses with the clause.
    const asked = why.id === "why" && table().dataset.phase === "play" && socket?.readyState === WebSocket.OPEN;
    if (!asked) tell(why.textContent.trim(), why.id === "why" ? "play" : "");
    else if (!unsent.size) act(`play ${card.dataset.card}`);
    return undefined;
  }
  if (lifted === card.dataset.card || looks.taps === "one") return play(card);
  lifted = card.dataset.card;
  return show();
}

function play(card) {
  lifted = "";
  if (unsent.size) return; // one thing at a time
  act(card.dataset.act);
}

document.addEventListener("click", (event) => {
  const card = event.target.closest("#hand .card");
  const button = event.target.closest("#table button[data-act], #table button[data-next], #table button[data-from]");
  if (card) {
    event.preventDefault();
    if (!dragged) tap(card);
  } else if (button) {
    event.preventDefault();
    press(button);
  } else if (event.target.closest("#copy")) copy(event.target.closest("#copy"));
  else if (event.target.closest("#share")) share(event.target.closest("#share"));
});

// A report is sent beside the game; the page stays where it is.
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("#report");
  if (!form || !event.submitter) return;
  event.preventDefault();
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, event.submitter)) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  tell(page.querySelector("h1").textContent.trim());
  if (!answer.ok) return;
  form.reset();
  form.querySelector("details").open = false;
});

// The system's own way to send a link, where there is one.
function share(button) {
  const link = document.getElementById("address");
  navigator.share({ title: document.title, text: button.dataset.text, url: link.href }).catch(() => {});
}

// The clipboard is there on secure pages only; elsewhere the link is marked, and copied the old way if it can be.
async function copy(button) {
  const link = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(link.href);
    return tell(button.dataset.done);
  } catch {
    getSelection().selectAllChildren(link);
    return tell(document.execCommand("copy") ? button.dataset.done : button.dataset.else);
  }
}

// What costs a match when it was a slip of the finger is asked once more, on the button itself. A picture that
// comes meanwhile, of somebody who joins or leaves, must not take the question back.
const ASKING = 5000;
let asked = null; // the action asked once more
let askedTimer = null;

function sure(button) {
  if (!button.dataset.sure || asked === button.dataset.act) return true;
  unask();
  asked = button.dataset.act;
  askedTimer = setTimeout(unask, ASKING);
  ask();
  say(button.dataset.sure);
  return false;
}

const labelOf = (button) => button.querySelector("span > span") ?? button;

function ask() {
  const button = asked && document.querySelector(`#table button[data-sure][data-act="${CSS.escape(asked)}"]`);
  if (!button) return unask();
  const label = labelOf(button);
  label.dataset.was ??= label.innerHTML;
  label.textContent = button.dataset.sure;
  button.dataset.asked = "";
  return undefined;
}

function unask() {
  clearTimeout(askedTimer);
  asked = null;
  for (const button of document.querySelectorAll("#table button[data-asked]")) {
    const label = labelOf(button);
    label.innerHTML = label.dataset.was;
    delete label.dataset.was;
    delete button.dataset.asked;
  }
}

function press(button) {
  if (unsent.size || !sure(button)) return undefined;
  unask();
  if ("next" in button.dataset) return act("next");
  if (button.dataset.from) return act(document.getElementById(button.dataset.from).value);
  if (button.dataset.many) {
    const text = button.dataset.act.replace("{}", [...chosen].join(" "));
    chosen.clear();
    return act(text);
  }
  if (button.dataset.picks) {
    // A bid tile: the first tap lifts its card (or agrees with the one lifted), the second lays it.
    if (byCard(lifted)?.dataset.shape === button.dataset.shape) return play(byCard(lifted));
    lifted = button.dataset.picks;
    return show();
  }
  return act(button.dataset.act);
}

// A card pulled up and let go over the table is played.
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
    if (dragged && end === "pointerup" && y - event.clientY > 60) play(card);
    setTimeout(() => { dragged = false; });
  });
}

// ---- keyboard -------------------------------------------------------------------------------------------

const RANKS = "23456789tjqka";
// The letters that other languages put on the corners: E is an ace, D a queen, B and Kn a jack.
const COURT = { e: "A", d: "Q", b: "J" };
let crowned = ""; // the king just typed, which an n makes a jack

function typing(key) {
  typed = (typed + key).slice(-3).toLowerCase().replace("10", "t");
  if (key.toLowerCase() === "n" && crowned) {
    const king = byCard(crowned);
    if (chosen.has(crowned)) tap(king);
    typed = `${crowned[0].toLowerCase()}j`;
  }
  crowned = "";
  typed = typed.replace("kn", "j");
  const tail = typed.slice(-2);
  if (tail.length < 2) return;
  for (const [suit, rank] of [[tail[0], tail[1]], [tail[1], tail[0]]]) {
    const sign = rank === "t" ? "10" : COURT[rank] ?? (RANKS.includes(rank) ? rank.toUpperCase() : "");
    const name = "shdc".includes(suit) && sign ? suit.toUpperCase() + sign : "";
    const card = byCard(name);
    if (!card) continue;
    if (rank === "k") crowned = name;
    typed = "";
    card.focus();
    if (card.dataset.choose || lifted !== name) tap(card);
    return;
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, .menu")) return;
  const cards = [...document.querySelectorAll("#hand .card")];
  const at = cards.indexOf(document.activeElement);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step && cards.length) {
    event.preventDefault();
    const start = at < 0 ? (step > 0 ? -1 : 0) : at;
    cards[(start + step + cards.length) % cards.length].focus();
  } else if (event.key === "Home" && at >= 0) {
    event.preventDefault();
    cards[0].focus();
  } else if (event.key === "End" && at >= 0) {
    event.preventDefault();
    cards.at(-1).focus();
  } else if (event.key === "Enter" && document.activeElement === document.body) {
    const next = document.querySelector("#next");
    if (next) act("next");
    else if (lifted) play(byCard(lifted));
  } else if (/^[0-9a-zåäö]$/i.test(event.key)) {
    typing(event.key);
  }
});

remember();
address();
show();
talks((message) => send(message, asides));
talked();
byItself();
connect();

// ---- hints at a learning table ------------------------------------------------------------------------------

const advice = document.getElementById("advice");
let about = ""; // the moment the hint shown belongs to

// Others may bid meanwhile; a hint is about what this person holds and is asked.
const moment = () => [
  table().dataset.phase, table().dataset.turn, document.querySelectorAll("#hand .card").length,
  document.querySelectorAll("#trick .card").length,
].join();

document.getElementById("hint-button")?.addEventListener("click", async (event) => {
  event.preventDefault();
  const button = event.currentTarget;
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  try {
    about = moment();
    const answer = await fetch(`${button.getAttribute("href")}?script&card=${lifted}`);
    advised(await answer.text());
  } catch {
    tell(net.textContent);
  } finally {
    button.ariaBusy = "false";
  }
});

// A hint is about one moment: it goes when the table goes on, or with a tap.
function advised(html) {
  if (moment() !== about) return;
  advice.innerHTML = html;
  advice.hidden = false;
  advice.focus();
  say(advice.textContent);
}

function unadvised() {
  if (!advice || advice.hidden) return;
  const held = advice.contains(document.activeElement);
  advice.hidden = true;
  if (held) document.getElementById("hint-button").focus();
}

advice?.addEventListener("click", unadvised);
document.addEventListener("keydown", (event) => { if (event.key === "Escape") unadvised(); });
if (advice) new MutationObserver(() => { if (moment() !== about) unadvised(); })
  .observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-turn", "data-phase"] });
