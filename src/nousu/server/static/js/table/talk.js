// Talk at the table: what was said, what may be said, and the signals that pairs have agreed on.
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { speak, sure } from "./actions.js";
import { html, icon, nothing, picture } from "./parts.js";
import { state, word } from "./state.js";

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

const drawn = ([id]) => id in state.words.pictures;
const reaction = ([id, text]) => html`<button type="button" class="talk-pic" data-say=${id} aria-label=${text}>${picture(state.words.pictures[id])}</button>`;
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
  <div class="talk-pics">${talk.says.filter(drawn).map(reaction)}</div>
  <div class="talk-says">${talk.asks.map((ask) => requestButton(ask, may))}${
    talk.gestures.map(phrase("talk-word talk-word--sign"))}${talk.says.filter((one) => !drawn(one)).map(phrase("talk-word"))}</div>
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
const pairCard = ({ title, signals: known, own }) => html`<div class="signal-card">
  <h3>${title}</h3>
  ${known.length || own
    ? html`<ul>${known.map((text) => html`<li>${text}</li>`)}${own ? html`<li>“${own}”</li>` : nothing}</ul>`
    : html`<p class="small quiet">${word("no_signals")}</p>`}
</div>`;

const agreement = ({ choices, own, sits }) => {
  if (!choices.length) return sits ? html`<p class="small quiet">${word("between_hands")}</p>` : nothing;
  return html`<details id="agree">
    <summary class="btn">${word("change_card")}</summary>
    <form>
      ${choices.map(([id, text, chosen]) => html`<label class="tick"><input type="checkbox" name="signal" value=${id}
        ?checked=${chosen}><span>${text}</span></label>`)}
      <label class="ask-name"><span class="small quiet">${word("own_signal")}</span><input class="field" name="own" maxlength="200"
        value=${own} autocomplete="off"></label>
      <button class="btn btn--main">${word("agree_on")}</button>
    </form>
  </details>`;
};

export const agreed = (found) => html`<div class="signals" id="signals">${found.cards.map(pairCard)}${agreement(found)}</div>`;

// The signals of computer players, the same for people who like to follow them.
export const code = ({ code: known }) => (known.length ? html`<div class="signal-card" id="code">
  <h3>${word("code")}</h3>
  <ul>${known.map((text) => html`<li>${text}</li>`)}</ul>
  <p class="small quiet">${word("computers_no_signals")}</p>
</div>` : nothing);

// In the lobby, where there is somebody to agree with.
export const signals = (found) => (found?.company && found.cards.length ? html`<section>
  <h2 class="title">${word("signals")}</h2>${agreed(found)}</section>` : nothing);

// ---- what the viewer says

const box = () => document.getElementById("talk");

function fold() {
  if (location.hash === "#talk") location.hash = "stage";
}

// Requests, and showing somebody's words to the host, are asked once more, on the button itself.
document.addEventListener("click", ({ target }) => {
  const { dataset } = target.closest("#table button:is([data-say], [data-ask], [data-report], [data-mute], [data-answer])") ?? {};
  if (!dataset) return;
  if (dataset.say) {
    speak({ say: dataset.say });
    fold();
  } else if (dataset.ask) {
    if (!sure(dataset.ask, dataset.sure)) return;
    speak({ ask: dataset.ask, seq: state.view.seq });
    if ("concedes" in dataset) location.hash = "stage";
    fold();
  } else if (dataset.report) {
    if (sure(`report ${dataset.report}`, word("report_sure"))) speak({ report: Number(dataset.report) });
  } else if (dataset.mute) speak({ mute: Number(dataset.mute), off: dataset.off === "yes" });
  else speak({ answer: dataset.answer === "yes" });
});

document.addEventListener("submit", (event) => {
  const { id, elements } = event.target;
  if (id === "talk-form") {
    event.preventDefault();
    const write = elements.write.value.trim();
    if (!write) return;
    speak({ write });
    elements.write.value = "";
  } else if (event.target.closest("#agree")) {
    event.preventDefault();
    const agree = [...event.target.querySelectorAll("[name=signal]:checked")].map(({ value }) => value);
    speak({ agree, own: elements.own.value });
    document.getElementById("agree").open = false;
  }
});

// A refused line may be sent again.
export function unsaid(message) {
  const field = document.querySelector("#talk-form [name=write]");
  if (message?.write && field && !field.value) field.value = message.write;
}

// ---- what is new: shown for a while where the list is not in sight, and counted until it has been read

const LONG = 5000; // ms that something said is shown over the score
const open = document.getElementById("talk-open");
const said = document.getElementById("said");
let last = -1; // the number of the last line that was shown
let timer = 0;

function scroll() {
  const lines = document.getElementById("talk-lines");
  if (lines) lines.scrollTop = lines.scrollHeight;
}

addEventListener("hashchange", () => {
  if (location.hash !== "#talk") return;
  delete open.dataset.unread;
  open.ariaLabel = word("talk");
  said.hidden = true;
  scroll();
});

// At the seat of the speaker, as long as it takes to read.
function atSeat({ seat, words, picture }) {
  state.said = { seat, words, picture, place: state.view.plates.find((one) => one.seat === seat)?.place };
  state.draw();
  clearTimeout(timer);
  timer = setTimeout(() => {
    state.said = null;
    state.draw();
  }, picture ? 2500 : words.length > 30 ? 6000 : 4000);
}

// After each view.
export function showNew({ talk: found, drawing }) {
  const lobby = drawing === "lobby";
  open.hidden = !box() || lobby;
  open.closest(".place").toggleAttribute("data-talks", !open.hidden);
  const newest = found?.lines.at(-1);
  const number = newest?.number ?? 0;
  const first = last < 0;
  if (number <= last) return;
  last = number;
  scroll();
  if (first || !newest || lobby) return;
  const spoken = newest.seat !== null && document.querySelector(`#seat-${newest.seat} .seat-name`);
  if (spoken) atSeat(newest);
  if (location.hash === "#talk") return;
  if (!newest.mine) {
    open.dataset.unread = "";
    open.ariaLabel = word("talk_new");
  }
  if (spoken) return;
  said.textContent = `${newest.name}: ${newest.words}`;
  said.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { said.hidden = true; }, LONG);
}
