// The beamer turns the pages of long standings by itself; the space bar stops it and lets it go on.
const EACH = 9_000;
let turn = 0;
let still = false;

function show() {
  for (const table of document.querySelectorAll("[data-pages]")) {
    const size = Number(table.dataset.pages);
    const lines = [...table.querySelectorAll("ol > li")];
    const pages = Math.max(1, Math.ceil(lines.length / size));
    const first = (turn % pages) * size;
    lines.forEach((line, at) => { line.hidden = at < first || at >= first + size; });
    const here = table.querySelector("[data-pages-here]");
    here.textContent = pages > 1 ? `${first + 1}–${Math.min(first + size, lines.length)} / ${lines.length}` : "";
  }
}

setInterval(() => {
  if (still) return;
  turn += 1;
  show();
}, EACH);
document.addEventListener("hall:renewed", show);
document.addEventListener("keydown", (event) => {
  if (event.key === " ") still = !still;
  else if (event.key === "ArrowRight") turn += 1;
  else if (event.key === "ArrowLeft") turn = Math.max(0, turn - 1);
  else return;
  event.preventDefault();
  show();
});
show();
