// People at the table: lost connections with the seconds until a computer plays, and the number of watchers.
import { render } from "../../vendor/lit-html/lit-html.js";
import { speak } from "./actions.js";
import { say } from "./live_region.js";
import { html, icon, nothing } from "./parts.js";
import { state } from "./state.js";

const box = document.getElementById("lost");
const count = document.getElementById("watching");

const counted = (one) => one.text.replace("{left}", Math.max(0, Math.ceil((one.until - performance.now()) / 1000)));

const row = (one) => html`<p><span>${counted(one)}</span>${one.offer ? html`<button type="button" class="btn" data-stand-in=${one.seat}
  @click=${() => speak({ stand_in: one.seat })}>${one.offer}</button>` : nothing}</p>`;

export function miss(now) {
  const known = new Set(state.lost.map(({ seat }) => seat));
  state.lost = now.map((one) => ({ ...one, until: performance.now() + 1000 * (one.left ?? 0) }));
  const fresh = state.lost.find(({ seat }) => !known.has(seat));
  if (fresh) say(counted(fresh));
  countDown();
  mark();
}

export function countDown() {
  box.hidden = !state.lost.length;
  render(state.lost.map(row), box);
}

// A mark at each seat that is missed.
export function mark() {
  const notes = new Map(state.lost.map(({ seat, note }) => [`seat-${seat}`, note]));
  for (const seat of document.querySelectorAll("[id^=seat-]")) {
    if (notes.has(seat.id)) seat.dataset.lost = notes.get(seat.id);
    else delete seat.dataset.lost;
  }
}

export function watched(text) {
  const words = text.split(/(\d+)/);
  render([icon("eye"), words.map((part, at) => (at % 2 ? part : html`<span class="watching-words">${part}</span>`))], count);
  count.hidden = !text;
  count.closest(".place").toggleAttribute("data-watched", Boolean(text));
}
