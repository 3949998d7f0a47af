// Hints at a learning table: a panel about one moment; it goes when the table goes on, or with a tap.
import { render } from "../../vendor/lit-html/lit-html.js";
import { say, tell } from "./live_region.js";
import { html, nothing } from "./parts.js";
import { here, state, word } from "./state.js";

const advice = document.getElementById("advice");
const button = document.getElementById("hint-button");
let about = ""; // the moment that the hint shown belongs to

// Others may bid meanwhile; a hint is about what this person holds and is asked.
const moment = ({ phase, my_turn: turn, hand = [], trick = [] }) => [phase, turn, hand.length, trick.length].join();

const panel = (hint) => html`<p>${word("would_consider")} <b>${hint.choice}</b>${hint.reason ? html`<br><span>${hint.reason}</span>` : nothing}</p>
${hint.asked.map((text) => html`<p>${text}</p>`)}
${hint.known.length ? html`<ul class="next small">${hint.known.map((text) => html`<li>${text}</li>`)}</ul>` : nothing}
${hint.others.length ? html`<p class="small"><a href="${here}/hint">${word("why_not_else")}</a></p>` : nothing}`;

async function ask() {
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  about = moment(state.view);
  try {
    const answer = await fetch(`${button.getAttribute("href")}?script&card=${state.lifted}`);
    const hint = await answer.json();
    if (moment(state.view) !== about) return;
    render(answer.ok ? panel(hint) : hint.error, advice);
    advice.hidden = false;
    advice.focus();
    say(advice.textContent);
  } catch {
    tell(document.getElementById("net").textContent);
  } finally {
    button.ariaBusy = "false";
  }
}

function close() {
  if (advice.hidden) return;
  const held = advice.contains(document.activeElement);
  advice.hidden = true;
  if (held) button.focus();
}

// After each view.
export function outdate(view) {
  if (moment(view) !== about) close();
}

button.addEventListener("click", (event) => {
  event.preventDefault();
  ask();
});
advice.addEventListener("click", close);
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") close(); });
