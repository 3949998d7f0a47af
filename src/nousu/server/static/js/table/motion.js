// Motion: a card that was played flies to the trick at once; it stays there when the view brings it.
let flown = "";

// Carry a card of the hand to the place where it will lie.
export function fly(card) {
  const goal = document.querySelector("#trick .slot, #trick, .me .cards, .me")?.getBoundingClientRect();
  if (!goal) return;
  const from = card.getBoundingClientRect();
  const scale = goal.width && card.closest(".hand--few") === null ? Math.min(1, goal.width / from.width) : 1;
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const [[x, y], [toX, toY]] = [middle(from), middle(goal)];
  card.style.setProperty("--fly", `${toX - x}px ${toY - y}px`);
  card.style.setProperty("--shrink", scale);
  flown = card.dataset.card;
}

// After a view: the card that flew there does not arrive a second time.
export function land() {
  if (!flown) return;
  document.getElementById(`on-${flown}`)?.toggleAttribute("data-landed", true);
  if (!document.getElementById(`card-${flown}`)?.dataset.way) flown = "";
}
