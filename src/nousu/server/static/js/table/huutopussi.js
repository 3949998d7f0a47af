// Huutopussi: two slopes to the target; the contract with its progress, trumps and their history.
import { svg } from "../../vendor/lit-html/lit-html.js";
import { html, icon, nothing } from "./parts.js";
import { score as bars, spokenBars, tap } from "./score.js";
import { numeral, word } from "./state.js";

function way(bar, at) {
  const [from, to] = at ? [96, 96 - 42 * bar.share] : [4, 4 + 42 * bar.share];
  return svg`<path class="fell-way${bar.us ? " is-us" : ""}" d="M${from} 82L${to.toFixed(1)} ${(82 - 56 * bar.share).toFixed(1)}"/>`;
}

const mark = (bar, at) => html`<span class="fell-side${at ? " fell-side--right" : ""}">${bar.name}</span
  ><b class="fell-mark num${bar.us ? " is-us" : ""}${at ? " fell-mark--right" : ""}" style="--share:${bar.share.toFixed(3)}">${numeral(bar.points)}</b>`;

// Where the declarer's side stands once its contract is made, short of the words at the top.
function may({ bars, progress, target }) {
  const at = progress ? bars.findIndex(({ us }) => us === progress.us) : -1;
  if (at < 0) return nothing;
  const share = (bars[at].points + progress.contract * progress.times) / target;
  return html`<i class="fell-may${bars[at].us ? " is-us" : ""}${at ? " fell-may--right" : ""}" style="--share:${Math.max(0, Math.min(0.94, share)).toFixed(3)}"></i>`;
}

const fell = (view) => html`<figure class="fell">
  ${tap(spokenBars(view.bars))}
  <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
    <path class="hill-fell" d="M0 100V84L4 82 46 26Q50 20 54 26L96 82l4 2v16z"/>${view.bars.map(way)}
  </svg>
  <span aria-hidden="true">${may(view)}${view.bars.some(({ share }) => share >= 1) ? nothing : html`<span class="fell-top">${view.target}</span>`}${view.bars.map(mark)}</span>
</figure>`;

const progress = ({ us, share, label, points, contract, times }) => html`<div class="contract${us ? " is-us" : ""}" style="--share:${share.toFixed(3)}"
  role="img" aria-label=${label}><b class="num">${points}<small> / ${contract}${times > 1 ? ` ×${times}` : ""}</small></b><i></i></div>`;

const trumps = (found) => html`<div class="trumps" role="img" aria-label="${word("trumps")}: ${found.map(({ label }) => `${label}. `).join("")}">${
  found.map(({ symbol, label, points, now }) => html`<span class="trump${now ? " is-now" : ""}" data-suit=${symbol} title=${label}>${
    icon(symbol)}<small class="num">${points}</small></span>`)}</div>`;

function corner(view) {
  const none = view.phase === "play" || view.phase === "answer";
  return html`${view.highest_bid ? html`<b class="num">${view.highest_bid}</b><span class="small quiet">${word("bid_by", { name: view.bidder })}</span>` : nothing}${
    view.progress ? progress(view.progress) : nothing}${
    view.trumps.length ? trumps(view.trumps) : none ? html`<span class="small quiet">${word("no_trumps")}</span>` : nothing}`;
}

export const family = { corner, score: (view) => (view.bars.length === 2 ? fell(view) : bars(view)) };
