// Beside the table (on small screens above it, on demand): score sheet, rules, agreed signals, and how to leave.
import { html, nothing, pairs } from "./parts.js";
import { here, word } from "./state.js";
import { signals } from "./talk.js";

function sheetRow(view, row, at, rows) {
  const fresh = view.outcome && at === rows.length - 1;
  return html`<tr class=${fresh ? "is-new" : nothing}>${row.map((cell, column) => html`<td class=${
    column + 1 === view.sheet.wide ? "is-wide" : nothing}>${column ? cell : html`<a href="${here}/hand/${at + 1}">${cell}</a>`}</td>`)}</tr>`;
}

const sheet = (view) => (view.sheet ? html`<section>
  <h2 class="title">${word("sheet")}</h2>
  ${view.sheet.rows.length ? html`<table class="sheet num">
    <thead><tr>${view.sheet.heads.map((head) => html`<th scope="col"><bdi>${head}</bdi></th>`)}</tr></thead>
    <tbody>${view.sheet.rows.map((row, at, rows) => sheetRow(view, row, at, rows))}</tbody>
  </table>` : html`<p class="quiet small">${word("no_hand_yet")}</p>`}
</section>` : nothing);

const rules = (view) => html`<section>
  <h2 class="title">${word("rules")}</h2>
  ${pairs(view.rules)}
  <p class="side-more"><a href="/rules/${view.preset}">${word("all_rules")}</a>${
    view.rehearses ? nothing : html` · <a href="${here}/check">${word("check")}</a>`}</p>
  <p class="small quiet by-keyboard">${word("by_keyboard")}</p>
</section>`;

const ended = (view) => Boolean(view.outcome?.match);

const mayHandOver = (view) => view.seat !== null && !view.event && !view.rehearses && !ended(view);

const goodbye = (path, text, note) => html`<section>
  <form method="post" action="${here}/${path}"><button class="btn">${text}</button></form>
  <p class="small quiet">${note}</p>
</section>`;

const report = () => html`<section>
  <form class="report" method="post" action="${here}/report" id="report">
    <details>
      <summary>${word("report")}</summary>
      <label><span class="small quiet">${word("report_more")}</span><textarea class="field" name="text" rows="2" maxlength="1000"></textarea></label>
      <button class="btn" name="kind" value="problem">${word("a_problem")}</button>
      <button class="btn" name="kind" value="play">${word("a_silly_play")}</button>
      <p class="small quiet">${word("report_note")}</p>
    </details>
  </form>
</section>`;

export const side = (view) => html`<aside class="side" id="side" aria-label=${word("side")}>
  <a class="side-close btn" href="#stage">${word("back_to_table")}</a>
  ${sheet(view)}${rules(view)}${signals(view.talk)}
  ${view.event ? html`<section><a class="btn" href="/tournament/${view.event}/from/${view.id}">${word("to_tournament")}</a></section>` : nothing}
  ${view.leaves ? goodbye("leave", word("leave"), word("leave_note")) : nothing}
  ${mayHandOver(view) ? goodbye("hand-over", word("hand_over"), word("hand_over_note")) : nothing}
  ${report()}
</aside>`;
