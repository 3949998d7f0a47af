// Every page: light and colours without a reload, and the person's share of the shuffle in forms that open a table.
import { promise } from "./shuffle_share.js";

const root = document.documentElement;

for (const group of document.querySelectorAll("[data-look]")) {
  const name = group.dataset.look;
  group.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    event.preventDefault();
    const value = button.value;
    if (value === "auto" || value === "off") delete root.dataset[name];
    else root.dataset[name] = value;
    document.cookie = `nousu_${name}=${value}; path=/; max-age=31536000; samesite=lax`;
    for (const other of group.querySelectorAll("button")) other.ariaPressed = String(other === button);
  });
}

// The page of settings: what is chosen holds at once; the button only leads back.
for (const group of document.querySelectorAll("[data-settings]")) {
  const name = group.dataset.settings;
  group.addEventListener("change", ({ target }) => {
    if (target === group.querySelector("input")) delete root.dataset[name];
    else root.dataset[name] = target.value;
    document.cookie = `nousu_${name}=${target.value}; path=/; max-age=31536000; samesite=lax`;
    if (name === "sound" && target.value === "on") import("./sound.js").then((sound) => sound.turn());
    if (name === "buzz" && target.value === "on") navigator.vibrate?.(20);
  });
}

addEventListener("pageshow", promise);

// The start page leads back to the table that this device sat at last, until its match is over.
const back = document.getElementById("seated");
const seat = back && JSON.parse(localStorage.getItem("nousu.table") ?? "null");
if (seat && Date.now() - seat.at < 7 * 86_400_000) {
  back.href = seat.path;
  back.querySelector("small").textContent = seat.title;
  back.hidden = false;
}

// The page where tournaments begin leads back to those that this device has directed.
const list = document.querySelector("#known ul");
for (const one of list ? JSON.parse(localStorage.getItem("nousu.tournaments") ?? "[]") : []) {
  const line = list.appendChild(document.createElement("li"));
  const link = line.appendChild(document.createElement("a"));
  link.href = one.path;
  link.textContent = one.title;
  list.parentElement.hidden = false;
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const open of document.querySelectorAll("details.menu[open], details.last[open]")) open.open = false;
  if (location.hash === "#side") location.hash = "stage";
});

// Another preset on the form of rules shows its own options at once.
for (const select of document.querySelectorAll("select[data-goes]")) {
  select.addEventListener("change", () => { location.href = `/new?rules=${encodeURIComponent(select.value)}`; });
}

// The app can be installed; without a network it says so (sw.js). A page without a network tries again by itself.
if (isSecureContext) navigator.serviceWorker?.register("/sw.js").catch(() => {});
if (document.getElementById("retry")) addEventListener("online", () => location.reload());
