// Check-in: a mark is sent behind the scenes, and its row stays where it is until the next search.
const list = document.getElementById("door");
const search = document.querySelector(".search input");
const none = document.getElementById("door-none");
const wrong = document.getElementById("door-wrong");
const note = document.getElementById("door-note");
const REQUEST_TIMEOUT = 8_000;
const sending = new Map();
const rows = () => [...list.querySelectorAll(".dr")];
const parsed = (text) => new DOMParser().parseFromString(text, "text/html");

function plain(text) {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").replace(/ø/g, "o").replace(/æ/g, "ae").replace(/ł/g, "l");
}

function groupOf(row) {
  if (!row.classList.contains("is-here")) return "absent";
  return row.classList.contains("is-open") ? "open" : "here";
}

// Rows go to the group that they belong to, in the order of the alphabet; what does not match is hidden.
function arrange() {
  const words = plain(search.value).split(/\s+/).filter(Boolean);
  const sorted = rows().sort((a, b) => a.dataset.at - b.dataset.at);
  for (const group of list.querySelectorAll("[data-group]")) {
    const own = sorted.filter((row) => groupOf(row) === group.dataset.group);
    group.querySelector("ul").append(...own);
    for (const row of own) row.hidden = !words.every((word) => row.dataset.find.includes(word));
    const shown = own.filter((row) => !row.hidden).length;
    group.querySelector("h2 .num").textContent = shown;
    group.hidden = !shown;
  }
  none.hidden = !sorted.length || sorted.some((row) => !row.hidden);
  for (const one of list.querySelectorAll(".dr-note")) one.remove();
}

// Show the server's state of a row; a number that is being typed stays as it is.
function renew(row, now) {
  row.className = now.className;
  row.dataset.at = now.dataset.at;
  row.dataset.find = now.dataset.find;
  row.querySelector(".dr-name").replaceWith(now.querySelector(".dr-name"));
  for (const part of now.querySelectorAll("form")) {
    const old = row.querySelector(`[data-part=${part.dataset.part}]`);
    if (!old.contains(document.activeElement)) old.replaceWith(part);
    else if (part.dataset.part !== "number") {
      const [button, fresh] = [old, part].map((form) => form.querySelector("button"));
      for (const { name, value } of fresh.attributes) button.setAttribute(name, value);
      old.querySelector("input:last-of-type").value = part.querySelector("input:last-of-type").value;
    }
  }
  if (!row.classList.contains("is-here")) row.querySelector(".dr-note")?.remove();
}

// The newest state from the server: marks change in place, people who were entered meanwhile join the list.
function take(fresh) {
  let joined = false;
  const listed = [...fresh.querySelectorAll("#door .dr")];
  for (const now of listed) {
    const row = document.getElementById(now.id);
    if (!row) {
      list.querySelector("ul").append(now);
      joined = true;
    } else if (!sending.has(row)) renew(row, now);
  }
  const known = new Set(listed.map((now) => now.id));
  for (const row of rows()) if (!known.has(row.id)) row.remove();
  if (joined) arrange();
}

function show(row, part, on) {
  if (part === "here") row.classList.toggle("is-here", on);
  const button = row.querySelector(part === "here" ? ".dr-tick" : ".dr-paid");
  button.setAttribute(part === "here" ? "aria-checked" : "aria-pressed", String(on));
  row.querySelector(`[name=${part}]`).value = on ? "" : "yes";
}

function remark(row, here) {
  row.querySelector(".dr-note")?.remove();
  if (here && note) row.append(note.content.cloneNode(true));
}

// Marks of one row are sent one after the other, however quickly they are set.
function send(form) {
  const row = form.closest(".dr");
  const part = form.dataset.part;
  const body = new FormData(form);
  const on = body.get(part) === "yes";
  if (part !== "number") show(row, part, on);
  if (part === "here") remark(row, on);
  const mine = (sending.get(row) ?? Promise.resolve()).then(() => post(form.action, body, row, part, on, () => sending.get(row) === mine));
  sending.set(row, mine);
}

async function post(address, body, row, part, on, isLast) {
  try {
    const answer = await fetch(address, { method: "POST", body, signal: AbortSignal.timeout(REQUEST_TIMEOUT) });
    const fresh = parsed(await answer.text());
    const said = fresh.getElementById("door-wrong")?.textContent;
    if (!answer.ok && !said) throw new Error(answer.statusText);
    if (isLast()) sending.delete(row);
    wrong.textContent = said;
    wrong.hidden = !said;
    for (const id of ["door-count", "door-foot"]) {
      const [old, now] = [document.getElementById(id), fresh.getElementById(id)];
      if (old && now) old.replaceWith(now);
    }
    take(fresh);
    const box = row.querySelector("input[name=number]");
    if (!answer.ok && part === "number" && box) {
      box.value = body.get("number");
      box.setAttribute("aria-invalid", "true");
      box.select();
    }
  } catch {
    if (part !== "number") show(row, part, !on);
    if (part === "here") remark(row, !on);
    wrong.textContent = wrong.dataset.unsent.replace("{name}", row.dataset.name);
    wrong.hidden = false;
  }
  if (isLast()) sending.delete(row);
}

list.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.dataset.part === "number") document.activeElement.blur(); // which sends what was changed
  else send(event.target);
});
list.addEventListener("change", ({ target }) => {
  if (target.name === "number") send(target.form);
});
list.addEventListener("click", ({ target }) => {
  if (target.closest(".dr-note button")) target.closest(".dr").querySelector(".dr-tick").click();
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
    take(parsed(await answer.text()));
    history.replaceState(null, "", address);
    arrange();
  }).catch(() => {}); // the list found by the server stays
}
