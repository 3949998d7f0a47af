// The parts that tables of all families are drawn with: cards, chips, buttons, name plates.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { state, word } from "./state.js";

export { html, nothing };

const COURT = { J: "cap", Q: "tiara", K: "crown" }; // the headgear of each court card

export const icon = (name) => html`<svg aria-hidden="true"><use href="#${name}"/></svg>`;

export const chip = (bid) => html`<span class="chip" data-ink=${bid.ink}>${icon(bid.shape)}${bid.word}</span>`;

// A card by its code: H10.
export const suitOf = (card) => card[0].toLowerCase();
export const isCourt = (card) => card.slice(1) in COURT;

export function inside(card) {
  const suit = suitOf(card);
  const rank = state.words.corners[card.slice(1)];
  const court = isCourt(card);
  const wide = court && rank.length > 1;
  return html`<span class="card-rank" ?data-wide=${wide} aria-hidden="true">${rank}</span
    ><svg class="card-suit" aria-hidden="true"><use href="#${suit}"/></svg
    ><span class="card-face" data-letter=${court ? rank : nothing} ?data-wide=${wide} aria-hidden="true"
      ><svg viewBox="0 0 24 ${court ? 16 : 24}"><use href="#${COURT[card.slice(1)] ?? suit}"/></svg></span>`;
}

// A card face up on the table.
export const openCard = (card, className = "", id = nothing) => html`<span role="img" class="card ${className}" id=${id}
  data-suit=${suitOf(card)} ?data-court=${isCourt(card)} aria-label=${state.words.cards[card]}>${inside(card)}</span>`;

export const cardBack = () => html`<span class="card card--back" role="img" aria-label=${word("face_down")}></span>`;

const isShort = (button) => /^\d+$/.test(button.label) || button.act === "pass";

// A button for an action of the game.
export function press(button) {
  const asked = Boolean(button.sure) && state.asked === button.act;
  return html`<button type="button" class="btn${button.main ? " btn--main" : ""}${isShort(button) ? " btn--short" : ""}"
    data-act=${button.act} data-many=${button.many || nothing} data-picks=${button.picks || nothing}
    data-sure=${button.sure || nothing} data-ink=${button.bid?.ink ?? nothing} ?data-asked=${asked}
    ?disabled=${button.many > 0 && state.chosen.size !== button.many}>${button.bid ? icon(button.bid.shape) : nothing}<span
      ><span>${asked ? button.sure : button.label}</span>${button.note ? html`<small>${button.note}</small>` : nothing}</span
    ></button>`;
}

const dealerMark = () => html`<span class="mark mark--dealer" role="img" aria-label=${word("dealer")}><span
  aria-hidden="true">${word("dealer_mark")}</span></span>`;
const leadMark = (className) => html`<span class="mark ${className}" role="img" aria-label=${word("led")}>${icon("lead")}</span>`;

// The signs of the dealer and of the leader, at a player of any kind of table.
export const marks = (player, leadClass = "") => html`${player.dealer ? dealerMark() : nothing}${player.lead ? leadMark(leadClass) : nothing}`;

export const initial = (name) => [...name][0]?.toUpperCase() ?? "";

const LONG = 9; // letters of a word that needs a smaller type beside the trick of a telephone

// A name, in whatever direction it is written.
export const nameOf = (name) => html`<bdi ?data-long=${name.split(" ").some((word) => word.length >= LONG)}>${name}</bdi>`;

// A drawn face, or the first letter of a name.
export const face = (id) => html`<svg class="av" viewBox="0 0 48 48" aria-hidden="true"><use href="${state.words.faces_file}#${id}"/></svg>`;

export const portrait = (player) => html`<span class="face">${player.face ? face(player.face) : html`<span
  aria-hidden="true">${initial(player.name)}</span>`}</span>`;

// A reaction.
export const picture = (id) => html`<svg class="react" viewBox="0 0 32 32" aria-hidden="true"><use href="${state.words.faces_file}#${id}"/></svg>`;

// The cards in a player's hand: a back a card.
const fan = (count) => (count ? html`<span class="fan" aria-hidden="true" style="--n:${count}">${
  Array.from({ length: count }, (_, at) => html`<i style="--at:${at}"></i>`)}</span>` : nothing);

// A line just said, at the speaker's seat.
const bubble = ({ seat, place }) => (state.said?.seat !== seat || (state.said.picture && state.view.trick.some((play) => play.place === place)) ? nothing
  : state.said.picture ? html`<span class="bubble bubble--${place} bubble--drawn" aria-hidden="true">${picture(state.said.picture)}</span>`
  : html`<span class="bubble bubble--${place}" aria-hidden="true">${state.said.words}</span>`);

// The name plate of a player.
export const plate = (player) => html`<div
  class="seat seat--${player.place}${player.us ? " seat--us" : ""}${player.me ? " is-me" : ""}${player.turn ? " is-turn" : ""}${player.away ? " is-away" : ""}"
  id="seat-${player.seat}"><span class="face">${player.face ? face(player.face) : html`<span aria-hidden="true">${initial(player.name)}</span>`}${
  marks(player, "mark--lead")}${player.me ? nothing : fan(state.view.counts[player.seat])}</span>${bubble(player)}<span
  class="seat-name">${nameOf(player.name)}${
  player.note ? html`<small class="seat-note">${player.note}</small>` : nothing}${
  player.heir ? html`<small class="seat-note seat-heir"><bdi>${player.heir}</bdi></small>` : nothing}</span></div>`;

export const plateAt = (view, place) => {
  const player = view.plates.find((one) => one.place === place);
  return player ? plate(player) : nothing;
};

// A list of two columns: a caption and its value.
export const pairs = (rows, className = "next") => html`<ul class=${className}>${rows.map(
  ([name, value]) => html`<li><span><bdi>${name}</bdi></span><span>${value}</span></li>`,
)}</ul>`;

// A link to the clause of the rules that says so.
export const clauseLink = (view, clause) => html`<a class="clause" href="/rules/${view.preset}#${clause}">${clause}</a>`;
