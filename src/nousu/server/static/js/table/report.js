// A report to the host is sent beside the game; the page stays where it is.
import { tell } from "./live_region.js";

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("#report");
  if (!form || !event.submitter) return;
  event.preventDefault();
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, event.submitter)) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  tell(page.querySelector("h1").textContent.trim());
  if (!answer.ok) return;
  form.reset();
  form.querySelector("details").open = false;
});
