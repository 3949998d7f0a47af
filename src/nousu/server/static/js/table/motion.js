// Motion: a card that was played flies to the trick at once; it stays there when the view brings it.
let flown = "";

const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

// The place where the viewer's card will lie: its middle, and its width.
function goal() {
  const slot = document.querySelector("#trick .slot.trick-s, #lays .trick-s > .slot, .me .cards .card:last-child");
  if (slot) return [...middle(slot.getBoundingClientRect()), slot.offsetWidth];
  const trick = document.getElementById("trick");
  if (!trick) return null;
  const [x, y] = middle(trick.getBoundingClientRect());
  const width = parseFloat(getComputedStyle(trick).width) / 2.76;
  return [x, y + 0.7 * width, width];
}

const matrix = (element) => new DOMMatrix(getComputedStyle(element).transform);

// Carry a card of the hand there, from where it lies in the fan, lifted or dragged or not.
export function fly(card) {
  const to = goal();
  if (!to) return;
  const [x, y] = middle(card.getBoundingClientRect());
  const turned = matrix(card.parentElement);
  turned.e = 0;
  turned.f = 0;
  const moved = matrix(card);
  const way = turned.inverse().transformPoint({ x: to[0] - x, y: to[1] - y });
  card.style.setProperty("--fly", `${way.x + moved.e}px ${way.y + moved.f}px`);
  card.style.setProperty("--shrink", to[2] / card.offsetWidth);
  flown = card.dataset.card;
}

// After a view: the card that flew there does not arrive a second time.
export function land() {
  if (!flown) return;
  document.getElementById(`on-${flown}`)?.toggleAttribute("data-landed", true);
  if (!document.getElementById(`card-${flown}`)?.dataset.way) flown = "";
}
