// The text for screen readers, and the notice that everybody sees for a while.
import { state } from "./state.js";

const live = document.getElementById("live");
const notice = document.getElementById("notice");
const READ = 5000; // ms
const LINKED = 20_000; // ms: time to read it and to reach the link
let timer = 0;

export function say(text) {
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = text; });
}

// A refusal leads to the rule that says so.
export function tell(text, clause = "") {
  notice.textContent = text;
  if (clause) {
    const why = Object.assign(document.createElement("a"), { textContent: state.words.why, href: `${notice.dataset.rules}#${clause}` });
    notice.append(" ", why);
  }
  notice.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(untell, clause ? LINKED : READ);
  say(text);
}

export function untell() {
  notice.hidden = true;
}
