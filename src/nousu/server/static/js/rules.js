// A link to a clause opens what it is folded into; not every browser does so by itself.
function unfold() {
  const clause = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!clause) return;
  for (let place = clause; place; place = place.parentElement) if (place.matches("details")) place.open = true;
  clause.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

// Arrow keys and two buttons walk through the steps of the worked hand; swiping is the browser's own scrolling.
const slides = document.getElementById("slides");

function walk(step) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const at = Math.round(slides.scrollLeft / slides.clientWidth) + step;
  slides.scrollTo({ left: at * slides.clientWidth, behavior: calm ? "auto" : "smooth" });
}

slides?.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  walk(step);
});
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => walk(Number(button.dataset.step)));
}

// On paper nothing is folded.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll(".teach details")) folded.open = true;
});
