// Tuppen: a mat for everybody, the stake in the middle, the raise always in reach.
import { svg } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { question, speech } from "./deck.js";
import { cardBack, html, icon, marks, nameOf, nothing, openCard, press } from "./parts.js";
import { word } from "./state.js";

// The pips of each face: x and y.
const PIPS = [
  [],
  [[12, 12]],
  [[7, 7], [17, 17]],
  [[7, 7], [12, 12], [17, 17]],
  [[7, 7], [17, 7], [7, 17], [17, 17]],
  [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]],
  [[7, 6.5], [17, 6.5], [7, 12], [17, 12], [7, 17.5], [17, 17.5]],
];

const pips = (face) => PIPS[face].map(([x, y]) => svg`<circle cx=${x} cy=${y} r=${face === 1 ? 2.9 : 2.2}/>`);

const die = ({ points, face, label }) => html`<span class="die" role="img" aria-label=${label}>${face
  ? html`<svg viewBox="0 0 24 24" aria-hidden="true">${pips(face)}</svg>`
  : html`<b aria-hidden="true">${points}</b>`}</span>`;

const isIn = (mat) => !mat.away && !mat.out;

const name = (mat, playerName) => html`<p><span class="who">${playerName} <span class="pts num">${mat.die.points}</span> ${marks(mat)}</span>${
  mat.state ? html`<span class="state state--${mat.mood}">${mat.icon ? icon(mat.icon) : nothing}<span>${mat.state}</span></span>` : nothing}</p>`;

const times = (count, template) => Array.from({ length: count }, template);

function cards(mat, plays) {
  if (!((plays && !mat.out) || mat.spent.length || mat.now.length || mat.backs)) return nothing;
  return html`<div class="cards">${
    repeat([...mat.spent, ...mat.now], (card) => card, (card) => openCard(card, mat.spent.includes(card) ? "is-spent" : "", `on-${card}`))}${times(mat.backs, cardBack)}${mat.away && !mat.out ? die(mat.die) : nothing}</div>`;
}

const otherMat = (mat, plays) => html`<div class="mat${isIn(mat) ? "" : " is-away"}${mat.turn ? " is-turn" : ""}"
  id="seat-${mat.seat}">${isIn(mat) ? die(mat.die) : nothing}${
  name(mat, html`<span class="who-name">${nameOf(mat.name)}</span>`)}${cards(mat, plays)}</div>`;

const pile = ({ label, cards: shown, count }) => html`<div class="pile">
  <span class="small quiet">${label}</span>
  <div class="last-cards">${shown.length ? shown.map((card) => openCard(card)) : times(4, cardBack)}${
    count > 1 ? html`<b class="num">× ${count}</b>` : nothing}</div>
</div>`;

const round = (view) => html`<section class="mats${view.crowded ? " mats--many" : ""}" aria-label=${word("table")}>
  ${view.mats.map((mat) => otherMat(mat, view.phase === "play"))}
  <div class="stake">
    ${view.stake ? html`<span class="small quiet">${word("stake")}</span>
    <b class="num">${view.asked_stake ? html`<s>${view.stake}</s> ${view.asked_stake}` : view.stake}</b>` : nothing}
    ${view.phase === "play" ? html`<span class="small quiet">${word("trick", { number: view.trick_number })}</span>` : nothing}
  </div>
</section>
${view.kind ? html`<p class="kind"><b>${view.kind}</b> <span class="small quiet">${view.kind_about}</span></p>` : nothing}
${view.piles.length ? html`<div class="piles">${view.piles.map(pile)}</div>` : nothing}`;

const asks = (view) => html`${question(view)}${view.acts.length ? html`<div
  class="acts acts--table raise${view.acts.length > 2 ? " acts--many" : ""}" role="group" aria-label=${word("at_any_moment")}
  ><span class="ring" aria-hidden="true"></span>${view.acts.map(press)}</div>` : nothing}`;

const line = (view) => html`<section class="me${view.me.turn ? " is-turn" : ""}" id="seat-${view.me.seat}">${isIn(view.me) ? die(view.me.die) : nothing}${
  name(view.me, html`<b class="who-name">${nameOf(view.me.name)}</b>`)}${cards(view.me, view.phase === "play")}${view.ask ? nothing : speech(view)}</section>`;

const score = () => html`<div class="strip"><a class="hill-tap strip-tap" href="#side" aria-label=${word("show_sheet")}></a></div>`;

export const family = { score, round, asks, line };
