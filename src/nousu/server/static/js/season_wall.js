// The ranking of a season on a wall turns its pages by itself, and is read anew after each turn of all of them.
const EACH = 15_000;
const pages = [...document.querySelectorAll("[data-page]")];
let turn = 0;

function show() {
  pages.forEach((page, at) => { page.hidden = at !== turn % pages.length; });
}

setInterval(() => {
  turn += 1;
  if (turn >= Math.max(4, pages.length)) location.reload();
  else show();
}, EACH);
if (pages.length) show();
