// Actions of this person: sent to the server, kept until it has answered, and marked on the page meanwhile.
import { say } from "./live_region.js";
import { state } from "./state.js";

const ASKING = 5000; // ms that a question is asked once more before it is forgotten
const unsent = new Map(); // key → message, until the server has answered
const asides = new Map(); // the same of what is said at the table: it keeps nobody from playing
let awaited = 0; // the number of the event our last action became
let connection = null;
let timer = 0;

export const sendBy = (way) => { connection = way; };

// One thing at a time: until the view shows what was done, nothing else of the game is sent.
export const waits = () => unsent.size > 0 || state.view.seq < awaited;

function send(message, waiting) {
  const key = crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(16)).join("");
  waiting.set(key, { ...message, key });
  connection.send({ ...message, key });
}

export function act(text) {
  if (waits()) return;
  state.way = text;
  send(text === "next" ? { next: true } : { act: text, seq: state.view.seq }, unsent);
  state.draw();
}

export const speak = (message) => send(message, asides);

// After the connection was lost: everything the server may not have had.
export function resend() {
  for (const message of [...unsent.values(), ...asides.values()]) connection.send(message);
}

// The answer to something sent; what was refused at the table is given back.
export function answered({ ok, error, key, seq }) {
  if (ok && !asides.delete(ok)) {
    unsent.delete(ok);
    awaited = seq;
  }
  if (!error || !key) return undefined;
  const refused = asides.get(key);
  if (!asides.delete(key)) unsent.delete(key);
  return refused;
}

// An action that has arrived in the view is not on its way any more.
export function settle() {
  if (!waits()) state.way = "";
  if (state.asked && !mayStillAsk()) state.asked = "";
}

// An action that costs a match when it was a slip of the finger is asked once more, on the button itself. A view that
// comes meanwhile, because somebody joins or leaves, must not take the question back.
export function sure(what, question) {
  if (!question || state.asked === what) {
    clearTimeout(timer);
    state.asked = "";
    return true;
  }
  state.asked = what;
  clearTimeout(timer);
  timer = setTimeout(() => {
    state.asked = "";
    state.draw();
  }, ASKING);
  say(question);
  state.draw();
  return false;
}

function mayStillAsk() {
  const { ask, acts = [], talk, asks = [] } = state.view;
  const lines = talk?.lines ?? [];
  return [...acts, ...(ask?.presses ?? [])].some(({ act: text, sure: question }) => question && text === state.asked)
    || asks.includes(state.asked) || lines.some(({ number, reports }) => reports && state.asked === `report ${number}`);
}
