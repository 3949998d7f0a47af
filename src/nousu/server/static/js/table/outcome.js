// A finished hand: what it was worth, why, and what comes next.
import { chip, clauseLink, html, icon, nothing, openCard, pairs, portrait } from "./parts.js";
import { here, word } from "./state.js";

const boxes = ({ won, key }) => html`<ol class="won num" aria-hidden="true">${won.map(
  (box, at) => html`<li class=${box ? (box === "over" ? "is-us is-over" : "is-us") : nothing}>${box ? at + 1 : nothing}</li>`,
)}</ol>
<p class="won-key" aria-hidden="true" style="grid-template-columns:${key.map(([, width]) => `${width}fr`).join(" ")}">${key.map(
  ([text, , accent]) => html`<span class=${accent ? "is-accent" : nothing}>${text}</span>`,
)}</p>`;

const accent = (done) => (done.accent ? html` <em class=${done.theirs ? "is-theirs" : nothing}>${done.accent}</em>` : nothing);

const title = (done) => (done.match
  ? html`<p class="result-hand"><b>${done.title}</b>${accent(done)}</p>`
  : html`<h2 id="outcome" class="result-title"><span>${done.title}</span>${accent(done)}</h2>`);

// The winners of a score without a hill; on a hill they stand by the flag.
function faces({ hill, plates, outcome: { winners } }) {
  const best = plates.filter(({ seat }) => winners.includes(seat));
  return hill || !best.length ? nothing : html`<span class="result-faces" aria-hidden="true">${best.map(portrait)}</span>`;
}

// The winner is the largest thing on the page.
const winner = (view) => html`<h2 id="outcome" class="result-match${view.lost ? " is-theirs" : ""}">${faces(view)}<span>${view.outcome.match}</span>${
  view.outcome.final ? html` <b class="num">${view.outcome.final}</b>` : nothing}</h2>`;

const lead = (done) => (done.bid
  ? html`<p>${chip(done.bid)} <span class="quiet">${done.lead}</span></p>`
  : done.lead ? html`<p class="quiet">${done.lead}</p>` : nothing);

const lastTrick = (view) => (view.last.length ? html`<div class="last-row">
  <span class="small quiet">${word("last_trick")}: ${view.last_note}</span>
  <div class="last-cards">${view.last.map((card) => openCard(card))}</div>
</div>` : nothing);

const placesToTake = ({ to_take: seats }) => (seats.length ? html`<fieldset class="take panel">
  <legend class="title">${word("take_place")}</legend>
  <label class="ask-name"><span class="small quiet">${word("your_name")}</span><input class="field" form="take-form" name="name"
    maxlength="24" autocomplete="nickname" required></label>
  <div class="acts">${seats.map(([seat, name]) => html`<button class="btn" form="take-form" name="seat" value=${seat}>${
    word("take_over", { name })}</button>`)}</div>
</fieldset>` : nothing);

const twoLines = (text, note) => html`<span><span>${text}</span><small>${note}</small></span>`;
const newMatch = (view) => `/new?rules=${encodeURIComponent(view.preset)}`;

// The one thing to do next.
function next(view) {
  const done = view.outcome;
  if (done.waits) return html`<button type="button" class="btn btn--main" data-next id="next">${word("next_hand")}</button>`;
  if (view.rehearses) {
    return html`<a class="btn btn--main" href=${view.rehearses} id="again">${
      twoLines(word("back_to_moment"), word("back_to_moment_note"))}</a>`;
  }
  if (!done.match) return html`<p class="quiet" role="status">${view.waits_for || word("waiting")}</p>`;
  if (view.event) {
    return html`<a class="btn btn--main" href="/tournament/${view.event}/from/${view.id}" id="again">${word("continue_tournament")}</a>`;
  }
  if (view.seat === null) return html`<a class="btn btn--main" href=${newMatch(view)} id="again">${word("new_match")}</a>`;
  const words = view.again
    ? twoLines(word("come_to_rematch"), word("come_to_rematch_note"))
    : twoLines(word("rematch"), done.dealer ? word("rematch_dealer", { name: done.dealer }) : word("rematch_note"));
  return html`<button class="btn btn--main" form="again-form" id="again">${words}</button
    ><a class="btn" href=${newMatch(view)}>${word("new_match")}</a>`;
}

export function outcome(view) {
  const done = view.outcome;
  return html`<section class="result${done.match ? " result--end" : ""}" aria-labelledby="outcome">
    ${done.match ? html`${winner(view)}<div class="acts acts--first">${next(view)}</div>${
      done.decided ? html`<p class="result-decided">${done.decided}</p>` : nothing}` : nothing}
    ${lead(done)}${title(done)}
    ${view.claimed ? html`<p class="quiet">${view.claimed}</p>` : nothing}
    ${done.won.length ? boxes(done) : nothing}
    ${lastTrick(view)}
    <ul class="why">${done.reasons.map(({ text, clause }) => html`<li>${text} ${clauseLink(view, clause)}</li>`)}</ul>
    ${placesToTake(view)}
    <p class="quiet" id="next-in" hidden></p>
    <div class="acts">
      ${done.match ? nothing : next(view)}
      <a class="btn" href="${here}/hand/${done.index}">${icon("back")}${word("replay")}</a>
      ${view.seat === null ? nothing : html`<a class="btn" href="${here}/review/${done.index}" id="mattered">${icon("curve")}${word("mattered")}</a>`}
      ${done.match ? html`<a class="btn" href="${here}/check" id="check">${icon("yes")}${word("check")}</a>` : nothing}
    </div>
    ${view.evening.length ? html`<section class="evening panel"><h3 class="title">${word("won_this_evening")}</h3>${pairs(view.evening)}</section>` : nothing}
    ${done.facts.length ? pairs(done.facts, "next panel") : nothing}
  </section>`;
}
