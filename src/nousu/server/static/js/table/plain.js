// A game without a page of its own: people, trick and words as a list.
import { html, nothing, openCard, plate } from "./parts.js";
import { speech } from "./deck.js";
import { word } from "./state.js";

const player = ({ plate: seat, cards, tricks, card, won }) => html`<li class=${seat.turn ? "is-turn" : nothing}>
  ${plate(seat)}
  <span class="small quiet num">${word("cards_count", { count: cards })}${tricks ? html`<br>${word("tricks_count", { count: tricks })}` : nothing}</span>
  ${card ? html`<span class=${won ? "is-winner" : nothing}>${openCard(card, "", `on-${card}`)}</span>` : nothing}
</li>`;

const round = (view) => html`<section class="round round--plain" aria-label=${word("table")}>
  <ol class="people">${view.people.map(player)}</ol>
  ${view.said.length ? html`<ol class="log small">${view.said.map((text) => html`<li>${text}</li>`)}</ol>` : nothing}
</section>`;

const line = (view) => html`<div class="south">${speech(view)}</div>`;

export const family = { round, line };
