// The first table: three tips, each in a row of its own, so that none lies over a card. Once read or skipped
// they do not come again on this device.
import { html, nothing } from "./parts.js";
import { state, word } from "./state.js";

const READ = "nousu.tips";
const oneTap = document.documentElement.dataset.taps === "one";
const wanted = (view) => view.tips.map((text, at) => (at === 2 && oneTap ? "" : text));

let at = 0; // the tip that is shown

function end() {
  localStorage.setItem(READ, "yes");
  state.tips = null;
  state.draw();
}

function next() {
  at += 1;
  if (wanted(state.view).slice(at).some(Boolean)) state.draw();
  else end();
}

const dots = (count) => html`<span class="tip-dots" aria-hidden="true">${
  Array.from({ length: count }, (_, dot) => html`<i class=${dot === at ? "is-now" : nothing}></i>`)}</span>`;

state.tips = (view) => {
  const tips = wanted(view);
  while (at < tips.length && !tips[at]) at += 1;
  if (!tips[at]) return nothing;
  const last = !tips.slice(at + 1).some(Boolean);
  return html`<section class="tip panel" data-tip=${at} aria-label=${word("tip")}>
    <p role="status">${tips[at]}</p>
    <div class="tip-acts"><button type="button" class="tip-skip" @click=${end}>${word("skip_tips")}</button>${dots(tips.length)}<button
      type="button" class="btn btn--main" @click=${next}>${word(last ? "play" : "next")}</button></div>
  </section>`;
};

document.addEventListener("keydown", ({ key }) => { if (key === "Escape" && state.tips) end(); });
