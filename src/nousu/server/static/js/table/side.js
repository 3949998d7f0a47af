// Beside the table (on small screens above it): score sheet, rules, agreed signals, and how to leave.
import { chooser } from "./faces.js";
import { html, icon, nothing, pairs } from "./parts.js";
import { here, state, word } from "./state.js";
import { agreed, code } from "./talk.js";

function sheetRow(view, row, at, rows) {
  const fresh = view.outcome && at === rows.length - 1;
  const fell = view.sheet.falls.includes(at);
  return html`<tr class=${fresh ? "is-new" : fell ? "is-fall" : nothing}>${row.map((cell, column) => html`<td class=${
    column + 1 === view.sheet.wide ? "is-wide" : nothing}>${column ? cell : html`<a href="${here}/hand/${at + 1}">${cell}</a>`}</td>`)}</tr>`;
}

const sheet = (view) => (view.sheet ? html`<section>
  <h2 class="title">${word("sheet")}</h2>
  ${view.sheet.rows.length ? html`<table class="sheet num">
    <thead><tr>${view.sheet.heads.map((head) => html`<th scope="col"><bdi>${head}</bdi></th>`)}</tr></thead>
    <tbody>${view.sheet.rows.map((row, at, rows) => sheetRow(view, row, at, rows))}</tbody>
  </table>` : html`<p class="quiet small">${word("no_hand_yet")}</p>`}
</section>` : nothing);

const fold = (title, inside) => html`<details class="fold" open><summary>${title}</summary>${inside}</details>`;

const rules = (view) => fold(word("rules"), html`${pairs(view.rules)}
  <p class="side-more"><a href="/rules/${view.preset}">${word("all_rules")}</a>${
    view.rehearses ? nothing : html`<a href="${here}/check">${word("check")}</a>`}</p>`);

const ended = (view) => Boolean(view.outcome?.match);

const mayHandOver = (view) => view.seat !== null && !view.event && !view.rehearses && !ended(view);

const goodbye = (path, text, note) => html`<form method="post" action="${here}/${path}"><button class="btn">${text}</button></form>
  <p class="small quiet">${note}</p>`;

const report = () => html`<form class="report" method="post" action="${here}/report" id="report">
    <details>
      <summary>${word("report")}</summary>
      <label><span class="small quiet">${word("report_more")}</span><textarea class="field" name="text" rows="2" maxlength="1000"></textarea></label>
      <button class="btn" name="kind" value="problem">${word("a_problem")}</button>
      <button class="btn" name="kind" value="play">${word("a_silly_play")}</button>
      <p class="small quiet">${word("report_note")}</p>
    </details>
  </form>`;

const concede = ({ concession }) => {
  if (!concession) return nothing;
  const [what, text, sure] = concession;
  const asked = state.asked === what;
  return html`<p><button type="button" class="btn" data-ask=${what} data-sure=${sure} data-concedes ?data-asked=${asked}>${asked ? sure : text}</button></p>`;
};

const ownFace = (view) => {
  const own = view.plates.find(({ me }) => me);
  return own ? chooser(own) : nothing;
};

const thisTable = (view) => fold(word("this_table"), html`${ownFace(view)}${concede(view)}${
  view.leaves ? goodbye("leave", word("leave"), word("leave_note")) : nothing}${
  mayHandOver(view) ? goodbye("hand-over", word("hand_over"), word("hand_over_note")) : nothing}${report()}`);

// The score in the head of the sheet, where one side alone holds points.
const standing = ({ hill }) => (hill && hill.side !== "none"
  ? html`<b class="num${hill.side === "us" ? " is-us" : ""}"><bdi>${hill.side === "us" ? hill.us : hill.them}</bdi> ${hill.score}</b>` : nothing);

export const side = (view) => html`<aside class="side" id="side" aria-label=${word("side")}>
  <header class="side-head"><a class="side-close" href="#stage" aria-label=${word("back_to_table")}>${icon("arrow")}</a>
    <h2 class="title">${word("side")}</h2>${standing(view)}</header>
  ${sheet(view)}${rules(view)}${view.talk?.cards.length ? fold(word("signals"), html`${agreed(view.talk)}${code(view.talk)}`) : nothing}
  ${view.event ? html`<p><a class="btn" href="/tournament/${view.event}/from/${view.id}">${word("to_tournament")}</a></p>` : nothing}
  ${thisTable(view)}
  <p class="small quiet by-keyboard">${word("by_keyboard")}</p>
</aside>`;
