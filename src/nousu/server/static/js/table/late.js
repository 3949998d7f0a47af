// Somebody who comes while a hand is played: a computer's chair is kept for them until it ends.
import { html, icon, nothing } from "./parts.js";
import { here, word } from "./state.js";

const steps = ({ done, tricks }) => html`<span class="late-steps" aria-hidden="true">${
  Array.from({ length: tricks }, (_, at) => html`<i class=${at < done ? "is-done" : nothing}></i>`)}</span>`;

const ask = ({ chairs }) => html`<form class="late-form" method="post" action="${here}/join">
  <label class="late-name"><span>${word("your_name")}</span><input class="field" name="name" maxlength="24"
    autocomplete="nickname" required></label>
  ${chairs.map(([seat, name, label], at) => html`<button class="btn${at ? "" : " btn--main"}" name="seat" value=${seat}
    aria-label=${label}>${icon("chair")}<bdi>${at ? name : label}</bdi></button>`)}
</form>
<p class="small quiet">${word("only_watch")}</p>`;

const kept = () => html`<form method="post" action="${here}/watch"><button class="btn">${word("just_watch")}</button></form>`;

export const removed = ({ removed: text }) => (text ? html`<section class="late panel" role="status"><p><b>${text}</b></p>
  <p class="small quiet">${word("removed_note")}</p></section>` : nothing);

export const late = ({ late: offer }) => (offer ? html`<section class="late panel" aria-labelledby="late-title">
  <h2 class="title" id="late-title">${offer.title}</h2>
  <p>${offer.text}</p>
  ${offer.progress ? html`<p class="late-when"><span>${offer.progress}</span><b>${offer.wait}</b></p>${steps(offer)}` : nothing}
  ${offer.chairs.length ? ask(offer) : kept()}
</section>` : nothing);
