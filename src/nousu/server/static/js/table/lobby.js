// A table at which places are open: chairs around it, a code to scan and a link to send.
import { chooser } from "./faces.js";
import { face, html, icon, nothing, pairs } from "./parts.js";
import { tell } from "./live_region.js";
import { here, state, word } from "./state.js";
import { removed } from "./late.js";
import { signals, talk } from "./talk.js";

function chair(seat) {
  const name = html`${seat.face ? html`<span class="face">${face(seat.face)}</span>` : nothing}<b><bdi>${seat.name}</bdi></b><small>${seat.note}</small>`;
  return html`<li class="chair${seat.place ? ` chair--${seat.place}` : ""}${seat.us ? " chair--us" : ""}${seat.free ? " chair--free" : ""}">
    ${seat.free
      ? html`<button class="chair-sit" name="seat" value=${seat.seat} form="sit-form">${name}</button>`
      : html`<span class="chair-name">${name}</span>`}
    ${seat.goes ? html`<button class="chair-goes" name="remove" value=${seat.seat} form="remove-form"
      aria-label=${word("ask_to_leave", { name: seat.name })}>${icon("no")}</button>` : nothing}
  </li>`;
}

const head = (view) => html`<div class="lobby-head">
  <h2 class="result-title">${word("waiting_for_players")}</h2>
  <p class="quiet" role="status">${word("seated", { seated: view.seated, seats: view.chairs.length })}${
    view.chosen && view.seat !== null && !view.event ? ` ${word("tap_chair")}` : nothing}</p>
  ${state.refused ? html`<p class="wrong" role="alert">${state.refused}</p>` : nothing}
</div>`;

const toTournament = (view) => html`<a class="btn${view.seat === null ? " btn--main" : ""}" href="/tournament/${view.event}/from/${view.id}">${
  word("to_tournament")}</a>`;

const sitDown = () => html`<label class="ask-name"><span class="small quiet">${word("your_name")}</span><input class="field" name="name"
  maxlength="24" autocomplete="nickname" required></label><button class="btn btn--main" id="sit">${word("sit_down")}</button>`;

const sit = (view) => html`<form class="acts sit" method="post" action="${here}/join" id="sit-form"><input type="hidden" name="pledge" data-pledge>${
  view.event ? toTournament(view) : view.seat === null && !view.removed ? sitDown() : nothing}</form>`;

// The server need not know under which name it was reached; the page does.
const address = () => new URL(here, location.href).href;

const invite = (view) => html`<div class="invite panel">
  <img class="qr" src="${here}/qr.svg" alt=${word("qr")} width="132" height="132">
  <div>
    <p class="small quiet">${word("scan")}</p>
    <a class="link" href=${here} id="address">${address()}</a>
    <div class="acts">
      <button class="btn" type="button" id="share" data-text=${view.invitation} ?hidden=${!navigator.share}>${icon("link")}${word("share")}</button>
      <button class="btn" type="button" id="copy" data-copy="address">${word("copy")}</button>
    </div>
  </div>
</div>`;

const ownFace = ({ chairs }) => chairs.filter(({ me }) => me).map(chooser);

const rules = (view) => html`<div class="lobby-rules">
  <h2 class="title">${word("rules")}</h2>
  ${pairs(view.rules)}
  <p class="small line"><a href="/rules/${view.preset}">${word("all_rules")}</a>${
    view.course ? html`<a href="/learn/${view.course}">${word("learn")}</a>` : nothing}</p>
</div>`;

const playNow = () => html`<form class="acts lobby-now" method="post" action="${here}/fill"><button class="btn btn--main" id="fill"><span
  ><span>${word("play_now")}</span><small>${word("fill_note")}</small></span></button></form>`;

// Everybody sits: what is left is to open the shares of the shuffle. The table is laid already.
const dealing = () => html`<div class="deck dealing"><p class="say">${word("dealing")}</p></div>`;

const waiting = (view) => html`<div class="deck deck--plain">
  <section class="result lobby">
    ${head(view)}
    <ol class="board${view.chairs.length <= 4 ? " board--round" : ""}">${view.chairs.map(chair)}</ol>
    ${removed(view)}${sit(view)}
    ${view.host ? html`<form method="post" action="${here}/remove" id="remove-form" hidden></form>` : nothing}
    ${view.event ? nothing : invite(view)}
    ${ownFace(view)}
    ${rules(view)}
    ${talk(view)}${signals(view.talk)}
    ${view.seat !== null && !view.event ? playNow() : nothing}
  </section>
</div>`;

export const lobby = (view) => html`<main class="stage" id="stage">
  <h1 class="hand-no">${view.title}</h1>
  <div class="strip" aria-hidden="true"></div>
  ${view.seated === view.chairs.length ? dealing() : waiting(view)}
</main>`;

// ---- the link to friends

// The clipboard is there on secure pages only; elsewhere the link is marked, and copied the old way if it can be.
async function copy(link) {
  try {
    await navigator.clipboard.writeText(link.href);
    return tell(word("copied"));
  } catch {
    getSelection().selectAllChildren(link);
    return tell(word(document.execCommand("copy") ? "copied" : "selected"));
  }
}

document.addEventListener("click", ({ target }) => {
  const link = document.getElementById("address");
  const button = target.closest("#copy, #share");
  if (button?.id === "copy") copy(link);
  else if (button && button.dataset.text) navigator.share({ title: document.title, text: button.dataset.text, url: link.href }).catch(() => {});
});
