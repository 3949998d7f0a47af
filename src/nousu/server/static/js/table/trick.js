// The middle of the table: bids in front of the players, or the cards of the trick; and the last trick, on demand.
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { cardBack, chip, html, nothing, openCard, picture } from "./parts.js";
import { state, word } from "./state.js";

function bidSpot(spot) {
  return html`<div class="lay trick-${spot.place}">
    <b class="nth" aria-hidden="true">${spot.nth}</b>
    ${facing(spot)}
    ${spot.bid ? chip(spot.bid) : nothing}
    ${spot.note && spot.place === "s" ? html`<span class="unseen">${spot.note}</span>` : nothing}
  </div>`;
}

function facing(spot) {
  if (spot.slot) return html`<span class="slot"><span>${spot.slot}</span></span>`;
  if (spot.card) return html`<span>${openCard(spot.card)}</span>`;
  if (spot.back) {
    const note = spot.note && spot.place !== "s";
    return html`<span>${cardBack()}${note ? html`<span class="hidden">${spot.note}</span>` : nothing}</span>`;
  }
  return spot.bid ? html`<span class="bid-said"></span>` : html`<span></span>`;
}

const bidSpots = (view) => html`<div class="trick trick--bids" id="lays">${view.lays.map(bidSpot)}</div>`;

// A reaction lies on its sender's card.
const reaction = ({ place }) => (state.said?.picture && state.said.place === place
  ? html`<span class="react-on trick-${place}" aria-hidden="true">${picture(state.said.picture)}</span>` : nothing);

const laid = (view, { place, card }) => openCard(card, `trick-${place}${place === view.taken ? " is-winner" : ""}`, `on-${card}`);

function trick(view) {
  const empty = view.phase !== "play" && !view.trick.length;
  const taken = view.taken ? ` is-taken to-${view.taken}` : "";
  return html`<div class="trick${empty ? " trick--empty" : ""}${taken}" id="trick">
    ${repeat(view.trick, ({ card }) => card, (play) => laid(view, play))}
    ${view.trick.map(reaction)}
    ${view.slot ? html`<span class="slot trick-${view.slot}">${view.slot === "s" && view.my_turn ? word("you") : nothing}</span>` : nothing}
  </div>`;
}

export const middle = (view) => (view.lays.length ? bidSpots(view) : trick(view));

// The tricks that a side has won, as a pile; a tap on either shows the last one.
const heap = (count) => html`<span class="heap" aria-hidden="true">${Array.from({ length: Math.min(count, 6) }, () => html`<i></i>`)}</span>`;

function lookBack() {
  const last = document.getElementById("last");
  last.open = !last.open;
}

export const ownPile = (view) => (view.phase === "play" && view.won_tricks[0] && view.last.length ? html`<button type="button" class="own-pile"
  aria-label=${word("tricks_so_far", { tricks: view.tricks })} @click=${lookBack}>${heap(view.won_tricks[0])}<b class="num">${view.won_tricks[0]}</b></button>` : nothing);

// The tricks so far; a tap shows the last one.
export function tricks(view) {
  const count = html`<b class="num">${view.tricks}</b><span class="small quiet">${view.tricks_label}</span>`;
  if (!view.last.length) return view.phase === "play" ? count : nothing;
  return html`<details class="last" id="last">
    <summary class="corner corner--r" aria-label=${word("tricks_so_far", { tricks: view.tricks })}>${view.won_tricks[1] ? heap(view.won_tricks[1]) : nothing}<span>${count}</span></summary>
    <div class="last-box panel">
      <p class="small quiet">${word("last_trick")}: ${view.last_note}</p>
      <div class="last-cards">${view.last.map((card) => openCard(card))}</div>
    </div>
  </details>`;
}
