// The beamer shows as many lines as a wall has room for, and turns the pages by itself; the space bar stops it
// and lets it go on. What stands behind each other on one page: tables as long as they fit, a heading is a line.
const EACH = 9_000;
const FEWEST = 3;
let turn = 0;
let still = false;

function pagesOf(section) {
  const room = Number(section.dataset.lines);
  const pages = [[]];
  let left = room;
  for (const table of section.matches("[data-table]") ? [section] : section.querySelectorAll("[data-table]")) {
    const lines = table.querySelectorAll("ol > li").length;
    for (let first = 0; first < lines;) {
      const head = pages.at(-1).length ? 1 : 0;
      if (head && left - head < Math.min(FEWEST, lines - first)) {
        pages.push([]);
        left = room;
        continue;
      }
      const size = Math.min(lines - first, left - head);
      pages.at(-1).push({ table, first, size, lines });
      left -= head + size;
      first += size;
    }
  }
  return pages;
}

function show() {
  for (const section of document.querySelectorAll("[data-lines]")) {
    const pages = pagesOf(section);
    const page = pages[turn % pages.length];
    for (const table of section.querySelectorAll("[data-table]")) table.hidden = true;
    for (const { table, first, size, lines } of page) {
      table.hidden = false;
      table.querySelectorAll("ol > li").forEach((line, at) => { line.hidden = at < first || at >= first + size; });
      table.querySelector("[data-here]").textContent = size < lines ? `${first + 1}–${first + size} / ${lines}` : "";
    }
  }
}

setInterval(() => {
  if (still) return;
  turn += 1;
  show();
}, EACH);
document.addEventListener("tournament:renewed", show);
document.addEventListener("keydown", (event) => {
  if (event.key === " ") still = !still;
  else if (event.key === "ArrowRight") turn += 1;
  else if (event.key === "ArrowLeft") turn = Math.max(0, turn - 1);
  else return;
  event.preventDefault();
  show();
});
show();
