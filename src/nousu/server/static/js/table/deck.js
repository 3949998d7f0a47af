// A table in play: score, round, desk and hand. Families replace the parts that they draw better.
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { chip, html, icon, inside, isCourt, nothing, plateAt, press, suitOf } from "./parts.js";
import { late, removed } from "./late.js";
import { score } from "./score.js";
import { here, state, word } from "./state.js";
import { middle, ownPile, tricks } from "./trick.js";
import { outcome } from "./outcome.js";

// ---- the round of players

export const round = (view, { corner = contract }) => html`<section class="round" aria-label=${word("table")}>
  <div class="heads">
    <div class="corner corner--l">${corner(view)}</div>
    ${plateAt(view, "n")}
    <div class="corner corner--r">${tricks(view)}</div>
  </div>
  ${plateAt(view, "w")}
  ${middle(view)}
  ${plateAt(view, "e")}
</section>`;

const contract = (view) => (view.contract
  ? html`${chip(view.contract)}<span class="small quiet">${view.contract_note}</span>`
  : nothing);

// ---- what the viewer is asked

export const question = ({ ask }) => (ask ? html`<section class="ask panel" aria-labelledby="ask-title">
  <h2 class="title" id="ask-title">${ask.title}</h2>
  ${ask.note ? html`<p class="small quiet">${ask.note}</p>` : nothing}
  <div class="acts">${repeat(ask.presses, ({ act }) => act, press)}</div>
</section>` : nothing);

const shapeOf = (bid) => (bid.shape === "rami" ? "high" : "low");

function bidTile(tile) {
  const pressed = tile.picks ? state.view.hand.some(({ card, shape }) => card === state.lifted && shape === shapeOf(tile.bid)) : null;
  return html`<button type="button" class="bid" data-act=${tile.act} data-picks=${tile.picks || nothing}
    data-ink=${tile.bid?.ink ?? nothing} data-shape=${tile.bid ? shapeOf(tile.bid) : nothing}
    aria-pressed=${pressed === null ? nothing : String(pressed)}>
    ${tile.bid ? icon(tile.bid.shape) : nothing}<b>${tile.label}</b><small>${tile.note}</small>
  </button>`;
}

const bidTiles = ({ bids }) => (bids.length ? html`<div class="bids${bids.length > 2 ? " bids--many" : ""}" role="group"
  aria-label=${word("what_do_you_bid")}>${repeat(bids, ({ act }) => act, bidTile)}</div>` : nothing);

const buttons = ({ acts, many }) => (acts.length || many ? html`<div class="acts acts--table${acts.length > 3 ? " acts--many" : ""}"
  role="group" aria-label=${word("what_you_can_do")}>${many ? press(many) : nothing}${repeat(acts, ({ act }) => act, press)}</div>` : nothing);

const asks = (view) => html`${question(view)}${bidTiles(view)}${buttons(view)}`;

// The rest may be claimed, beside the trick: asked once more, on the button itself.
const claim = ([what, text, sure]) => html`<button type="button" class="btn" data-ask=${what} data-sure=${sure}
  ?data-asked=${state.asked === what}>${state.asked === what ? sure : text}</button>`;

const claims = (view) => (view.claims.length ? html`<div class="claims" role="group" aria-label=${word("claim")}>${view.claims.map(claim)}</div>` : nothing);

// Choices too many for buttons.
const more = (view) => (view.more ? html`<div class="acts acts--table acts--more">
  <label class="more"><span class="small quiet">${view.more.label}</span><select class="field" id="more-choices">${view.more.choices.map(
    ([act, label]) => html`<option value=${act}>${label}</option>`,
  )}</select></label>
  <button type="button" class="btn" data-from="more-choices">${word("say_it")}</button>
</div>` : nothing);

// ---- the speech line

// The first tap on a card is answered here: a second one lays it. After a few times that is known.
const KNOWN = 5;
const lifted = () => state.lifted && Number(localStorage.getItem("nousu.laid") ?? 0) < KNOWN;

export const speech = (view) => (lifted()
  ? html`<p class="say is-turn" id="why">${icon(suitOf(state.lifted))}<span>${word("tap_again")}</span></p>`
  : html`<p class="say${view.my_turn ? " is-turn" : ""}" id="why">${
    view.line_suit ? icon(view.line_suit) : nothing}<span>${view.line}</span></p>`);

function line(view) {
  const speaks = !((view.bids.length && view.hint) || view.ask); // a question or the bidder's hint takes its place
  const hint = view.hint && lifted() ? word("tap_again") : view.hint;
  return html`${speaks ? html`<div class="south">${plateAt(view, "s")}${speech(view)}</div>` : nothing}${
    view.hint ? html`<p class="hint${hint === view.hint ? "" : " is-turn"}" id=${speaks ? "hint" : "why"}><span>${hint}</span></p>` : nothing}`;
}

// ---- the viewer's own cards

function ownCard({ card, act, shape, choose }, dims) {
  const may = act || choose;
  const pressed = choose ? state.chosen.has(card) : state.lifted === card;
  return html`<button type="button" class="card" id="card-${card}" data-act=${act || nothing} data-choose=${choose ? card : nothing}
    data-shape=${shape || nothing} data-card=${card} data-suit=${suitOf(card)} ?data-court=${isCourt(card)}
    data-way=${act && act === state.way ? state.words.way : nothing} aria-pressed=${may ? String(pressed) : nothing}
    aria-disabled=${!may && dims ? "true" : nothing} aria-describedby=${!may && dims ? "why" : nothing}
    aria-label=${state.words.cards[card]}>${inside(card)}</button>`;
}

export function hand(view) {
  const cards = view.hand;
  if (!cards.length) return nothing;
  const dims = cards.some(({ act, choose }) => act || choose);
  const rows = !view.flat && cards.some(({ row }) => row) ? 2 : 1;
  return html`<section class="own" aria-label=${word("your_hand")}>
    <ol class="hand${view.flat ? " hand--few" : ""}" id="hand" style="--n:${cards.length}" data-rows=${rows}
      data-many=${view.many?.many ?? nothing}>${repeat(cards, ({ card }) => card, (own) => html`<li id="li-${own.card}"
      style="--r:${own.row};--x:${own.x};--y:${own.y}">${ownCard(own, dims)}</li>`)}</ol>
  </section>`;
}

// ---- the whole

const tip = (view) => state.tips?.(view) ?? nothing;

// While nothing is asked, the trick takes the room that is kept for questions.
const free = (view) => !(view.ask || view.acts.length || view.bids.length || view.many || view.more || view.late || tip(view) !== nothing);
const deckClass = (view) => `deck${view.ask ? " deck--asks" : ""}${view.acts.length ? " deck--acts" : ""}${view.bids.length ? " deck--bids" : ""}${view.late ? " deck--late" : ""}${free(view) ? " deck--free" : ""}`;

// On wide screens, in a corner: the last hands in short, and the way to the whole sheet.
const short = (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`;

const dock = ({ sheet, flat }) => (sheet ? html`<div class="dock">
  ${flat ? nothing : html`<table class="num" aria-hidden="true"><tbody>${sheet.rows.slice(-3).map(
    (row) => short(row.filter((_, at) => at !== 3 && at + 1 !== sheet.wide)),
  )}</tbody></table>`}
  <a class="btn" href="#side">${word("sheet")}</a>
</div>` : nothing);

const playing = (view, family) => html`<div class=${deckClass(view)} id="deck">
  ${(family.round ?? round)(view, family)}
  <div class="desk">${tip(view)}${removed(view)}${late(view)}${claims(view)}${ownPile(view)}${(family.asks ?? asks)(view)}${more(view)}${(family.line ?? line)(view)}</div>
  ${hand(view)}${dock(view)}
</div>`;

const result = (view) => html`<div class="deck deck--plain" id="deck-result">${outcome(view)}</div>`;

export const stage = (view, family) => html`<div class="stage" id="stage">
  ${(family.score ?? score)(view)}${view.outcome ? result(view) : playing(view, family)}
</div>`;

// A request that waits for the viewer's answer, or for that of others.
export const pending = ({ asked }) => html`<div class="asked" id="asked" role="group" aria-label=${word("question")} ?hidden=${!asked}>
  ${asked ? html`<p>${asked.text}</p>${asked.mine ? html`<button type="button" class="btn btn--main" data-answer="yes">${word("agree")}</button
    ><button type="button" class="btn" data-answer="no">${word("no")}</button>` : nothing}` : nothing}
</div>`;

export const forms = () => html`<form id="take-form" method="post" action="${here}/join" hidden></form
  ><form id="again-form" method="post" action="${here}/again" hidden><input type="hidden" name="pledge" data-pledge></form>`;
