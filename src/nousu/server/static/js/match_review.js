// A match, or a round of a tournament, in review: reviews that are still being worked out come into the table by
// themselves; printing; sharing.
import { shares } from "./share_link.js";

const PAUSE = 2500; // milliseconds between two looks at what has been found since

const review = () => document.getElementById("review");

async function fill() {
  while (review().dataset.again) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const answer = await fetch(review().dataset.again, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("review");
    if (!fresh) return;
    const [old, found] = [document.getElementById("found"), fresh.querySelector("#found")];
    if (old.innerHTML !== found.innerHTML) old.replaceWith(found);
    const status = document.getElementById("refining");
    if (fresh.dataset.again) status.textContent = fresh.querySelector("#refining").textContent;
    else {
      delete review().dataset.again;
      status.textContent = status.dataset.done;
    }
  }
}

const print = document.getElementById("print");
print.hidden = false;
print.addEventListener("click", () => window.print());
document.querySelectorAll("#share").forEach((button) => shares(button, () => `?seat=${review().dataset.whose}`));
fill();
