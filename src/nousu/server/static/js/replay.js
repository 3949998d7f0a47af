// The replay page: the address carries the moment, and can be sent.
import { address } from "./diagram.js";

const form = document.getElementById("play-on");
document.addEventListener("moment", ({ detail }) => {
  history.replaceState(null, "", address());
  if (form) [form.at.value, form.eyes.value] = [detail.at, detail.eyes];
});

const share = document.getElementById("share");
share.hidden = false;
share.addEventListener("click", async () => {
  const url = new URL(address(), location.href).href;
  if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {});
  const label = share.querySelector("span");
  try {
    await navigator.clipboard.writeText(url);
    label.textContent = share.dataset.done;
  } catch {
    history.replaceState(null, "", url);
    label.textContent = share.dataset.else;
  }
});
