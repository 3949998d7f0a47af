// The score above the table: a marker on two slopes, or bars.
import { svg } from "../../vendor/lit-html/lit-html.js";
import { html, nothing, portrait } from "./parts.js";
import { numeral, state, word } from "./state.js";

export const tap = (spoken) => html`<a class="hill-tap" href="#side" aria-label="${spoken}${word("show_sheet")}"></a>`;

const FELL = "M0 33Q3 22 6 24C22 32.3 34 72.7 50 81 66 72.7 78 32.3 94 24q3-2 6 9";

const slopes = svg`<path class="hill-far" d="M0 62C8 58 14 48 22 50S34 72 44 68 62 46 70 48s18 20 30 12v40H0z"/>
  <path class="hill-fell" d="${FELL}v69H0z"/><path class="hill-line" d=${FELL}/>
  <path class="hill-posts" d="M46.6 78.7h0M43.2 75.5h0M39.8 71.4h0M36.5 66.6h0M33.1 61.2h0M29.7 55.4h0M26.3 49.6h0M22.9 43.8h0
    M19.5 38.4h0M16.2 33.6h0M12.8 29.5h0M9.4 26.3h0M53.4 78.7h0M56.8 75.5h0M60.2 71.4h0M63.5 66.6h0M66.9 61.2h0M70.3 55.4h0
    M73.7 49.6h0M77.1 43.8h0M80.5 38.4h0M83.8 33.6h0M87.2 29.5h0M90.6 26.3h0"/>`;

// A rise that fell: a thin track to its peak, with its number and its hand.
const fallen = (rise, at) => html`<span class="hill-rise${rise.us ? "" : " hill-rise--them"}" style="--score:${rise.peak};--at:${at}"
  ><i></i><b class="num">${rise.peak}</b><small>${rise.hand}</small></span>`;

// The lantern that slides back to the valley, once, in front of those who were there.
const slide = (rise) => html`<span class="hill-slide${rise.us ? "" : " hill-slide--them"}" style="--score:${rise.peak}"
  ><s class="num">${rise.peak}</s><i class="hill-lantern"></i>${Array.from({ length: 9 }, (_, n) => html`<i class="hill-flake" style="--n:${n}"></i>`)}</span>`;

// The winners stand by the flag.
const pride = ({ outcome, plates }) => (outcome?.match && outcome.winners.length ? html`<span class="hill-pride">${
  plates.filter(({ seat }) => outcome.winners.includes(seat)).map(portrait)}</span>` : nothing);

const hill = (score, view) => html`<figure class="hill" data-side=${score.side} ?data-peak=${score.score >= score.target} ?data-topples=${state.topples}
  style="--score:${score.score};--top:${score.target}${score.start === null ? "" : `;--from:${score.start}`}">
  ${tap(`${score.spoken}. `)}
  <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">${slopes}</svg>
  <svg class="hill-gone" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true"><path class="hill-way"
    d=${score.side === "them" ? "M50 81C66 72.7 78 32.3 94 24" : "M50 81C34 72.7 22 32.3 6 24"}/></svg>
  <span aria-hidden="true"
    ><span class="hill-top hill-top--us">${score.target}</span
    ><span class="hill-top hill-top--them">${score.target}</span
    ><span class="hill-side hill-side--us"><strong>${score.us}</strong><span>${score.us_note}</span></span
    ><span class="hill-side hill-side--them"><strong>${score.them}</strong><span>${score.them_note}</span></span
    ><span class="hill-zero">0</span>${score.start === null ? nothing : html`<span class="hill-from"></span>`}${
    score.rises.map(fallen)}${score.fallen ? slide(score.fallen) : nothing}<span
    class="hill-mark"><b class="num">${score.score}</b></span>${pride(view)}</span>
</figure>`;

export const spokenBars = (bars) => bars.map(({ name, points }) => `${name} ${numeral(points)}. `).join("");

const bars = (view) => html`<figure class="bars" data-count=${view.bars.length}>
  ${tap(spokenBars(view.bars))}
  ${view.bars.map((bar) => html`<div class="score-bar${bar.us ? " is-us" : ""}" style="--share:${bar.share.toFixed(3)}" aria-hidden="true">
    <strong><bdi>${bar.name}</bdi></strong><b class="num">${numeral(bar.points)}</b><i></i>
  </div>`)}
</figure>`;

export const score = (view) => (view.hill ? hill(view.hill, view) : bars(view));
