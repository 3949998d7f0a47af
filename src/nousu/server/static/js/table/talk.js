// Talk at the table: what was said, what may be said, and the signals that pairs have agreed on.
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { html, icon, nothing } from "./parts.js";
import { here, state, word } from "./state.js";

const label = (text) => html`<span><span>${text}</span></span>`;

function reportButton(line) {
  const asked = state.asked === `report ${line.number}`;
  return html`<button type="button" class="talk-report" data-report=${line.number} ?data-asked=${asked}
    aria-label=${word("report_line", { name: line.name })}>${
    asked ? label(word("report_sure")) : html`<span><span aria-hidden="true">!</span></span>`}</button>`;
}

const line = (one) => html`<li id="said-${one.number}" class=${one.mine ? "is-mine" : nothing}><b><bdi>${one.name}</bdi></b> <span>${one.words}</span>${
  one.reported ? html`<small class="quiet">${word("reported")}</small>` : nothing}${one.reports ? reportButton(one) : nothing}</li>`;

function requestButton([what, text, sure], may) {
  const asked = state.asked === what;
  return html`<button type="button" class="talk-word talk-word--ask" data-ask=${what} data-sure=${sure} ?data-asked=${asked}
    ?disabled=${!may.includes(what)}>${label(asked ? sure : text)}</button>`;
}

const phrase = (className) => ([id, text]) => html`<button type="button" class=${className} data-say=${id}>${text}</button>`;

const readers = (people) => (people.length ? html`<details class="talk-people" id="talk-people">
  <summary>${word("whose_messages")}</summary>
  ${people.map(([seat, name, muted]) => html`<button type="button" class="talk-word" data-mute=${seat} data-off=${muted ? "yes" : "no"}
    aria-pressed=${muted ? "false" : "true"}><bdi>${name}</bdi></button>`)}
</details>` : nothing);

const form = (talk, may) => html`<form class="talk-form" id="talk-form">
  <div class="talk-write" ?hidden=${!talk.company}>
    <input class="field" name="write" maxlength="140" autocomplete="off" enterkeyhint="send" aria-label=${word("say_something")}
      placeholder=${word("say_something")} ?disabled=${!talk.writes}>
    <button class="btn" ?disabled=${!talk.writes}>${word("send")}</button>
  </div>
  <div class="talk-says">${talk.asks.map((ask) => requestButton(ask, may))}${
    talk.gestures.map(phrase("talk-word talk-word--sign"))}${talk.says.map(phrase("talk-word"))}</div>
  ${readers(talk.people)}
  ${talk.note && talk.company ? html`<p class="small quiet">${talk.note}</p>` : nothing}
</form>`;

export const talk = ({ talk: found, asks: may = [] }) => (found && (found.company || found.asks.length) ? html`<section
  class="talk" id="talk" aria-labelledby="talk-title" data-last=${found.lines.at(-1)?.number ?? 0}>
  <h2 class="title" id="talk-title">${word("talk")}</h2>
  <ol class="talk-lines" id="talk-lines" tabindex="0" aria-label=${word("what_was_said")}>${
    repeat(found.lines, ({ number }) => number, line)}</ol>
  ${found.sits ? form(found, may) : nothing}
  <a class="talk-close btn" href="#stage" aria-label=${word("close")}>${icon("no")}</a>
</section>` : nothing);

// The signals both pairs have agreed on, for everybody to read (T-CAT-38); one's own can be changed between hands.
const pairCard = ({ title, signals: agreed, own }) => html`<div class="signal-card">
  <h3>${title}</h3>
  ${agreed.length || own
    ? html`<ul>${agreed.map((text) => html`<li>${text}</li>`)}${own ? html`<li>“${own}”</li>` : nothing}</ul>`
    : html`<p class="small quiet">${word("no_signals")}</p>`}
</div>`;

const agreement = ({ choices, own, sits }) => {
  if (!choices.length) return sits ? html`<p class="small quiet">${word("between_hands")}</p>` : nothing;
  return html`<details id="agree">
    <summary class="btn">${word("change_card")}</summary>
    <form method="post" action="${here}/talk">
      ${choices.map(([id, text, agreed]) => html`<label class="tick"><input type="checkbox" name="signal" value=${id}
        ?checked=${agreed}><span>${text}</span></label>`)}
      <label class="ask-name"><span class="small quiet">${word("own_signal")}</span><input class="field" name="own" maxlength="200"
        value=${own} autocomplete="off"></label>
      <button class="btn btn--main" name="agree" value="yes">${word("agree_on")}</button>
    </form>
  </details>`;
};

export const signals = (found) => (found?.cards.length ? html`<section class="signals" id="signals">
  <h2 class="title">${word("signals")}</h2>
  ${found.cards.map(pairCard)}
  ${agreement(found)}
  <p class="small quiet">${word("computers_no_signals")}</p>
</section>` : nothing);
