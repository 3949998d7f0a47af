// Check-in: a tick is sent behind the scenes, and its row stays where it is until the next search.
const list = document.getElementById("door");
const search = document.querySelector(".search input");
const none = document.getElementById("door-none");
const wrong = document.getElementById("door-wrong");
const PATIENCE = 8_000;
const rows = () => [...list.querySelectorAll(".dr")];

function plain(text) {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").replace(/ø/g, "o").replace(/æ/g, "ae").replace(/ł/g, "l");
}

function show(row, here) {
  row.classList.toggle("is-here", here);
  row.querySelector(".dr-tick").setAttribute("aria-checked", String(here));
  row.querySelector("[name=here]").value = here ? "" : "yes";
}

// Rows go to the group that they belong to, in the order of the alphabet; what does not match is hidden.
function arrange() {
  const words = plain(search.value).split(/\s+/).filter(Boolean);
  const sorted = rows().sort((a, b) => a.dataset.at - b.dataset.at);
  for (const group of list.querySelectorAll("[data-group]")) {
    const own = sorted.filter((row) => (row.classList.contains("is-here") ? "here" : "absent") === group.dataset.group);
    group.querySelector("ul").append(...own);
    for (const row of own) row.hidden = !words.every((word) => row.dataset.find.includes(word));
    const shown = own.filter((row) => !row.hidden).length;
    group.querySelector("h2 .num").textContent = shown;
    group.hidden = !shown;
  }
  none.hidden = !sorted.length || sorted.some((row) => !row.hidden);
}

// The newest state from the server: marks change in place, people who were entered meanwhile join the list.
function take(fresh) {
  let joined = false;
  const listed = [...fresh.querySelectorAll("#door .dr")];
  for (const now of listed) {
    const row = document.getElementById(now.id);
    if (row) {
      row.dataset.at = now.dataset.at;
      row.dataset.find = now.dataset.find;
      row.querySelector(".dr-name").replaceWith(now.querySelector(".dr-name"));
      if (!row.dataset.sending) show(row, now.classList.contains("is-here"));
    } else {
      list.querySelector("ul").append(now);
      joined = true;
    }
  }
  const known = new Set(listed.map((now) => now.id));
  for (const row of rows()) if (!known.has(row.id)) row.remove();
  if (joined) arrange();
}

async function tick(row) {
  if (row.dataset.sending) return;
  const form = row.querySelector("form");
  const button = row.querySelector(".dr-tick");
  const here = !row.classList.contains("is-here");
  const body = new FormData(form);
  row.dataset.sending = "yes";
  show(row, here);
  try {
    const answer = await fetch(form.action, { method: "POST", body, signal: AbortSignal.timeout(PATIENCE) });
    if (!answer.ok) throw new Error(answer.statusText);
    wrong.hidden = true;
    const count = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("door-count");
    if (count) document.getElementById("door-count").replaceChildren(...count.childNodes);
  } catch {
    show(row, !here);
    wrong.textContent = wrong.dataset.unsent.replace("{name}", button.dataset.name);
    wrong.hidden = false;
  }
  delete row.dataset.sending;
}

list.addEventListener("submit", (event) => {
  event.preventDefault();
  tick(event.target.closest(".dr"));
});
search.form.addEventListener("submit", (event) => event.preventDefault());
search.addEventListener("input", arrange);
search.addEventListener("focus", () => search.select());
document.addEventListener("tournament:renewed", ({ detail }) => take(detail));
// The script has the whole list: a search that the address brought is done here.
if (search.value) {
  const address = new URL(location.href);
  address.searchParams.delete("q");
  fetch(address).then(async (answer) => {
    take(new DOMParser().parseFromString(await answer.text(), "text/html"));
    history.replaceState(null, "", address);
    arrange();
  });
}
