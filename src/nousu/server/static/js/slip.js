// The form of a slip: number keys fill it, what cannot be is refused while it is typed, Enter sends it.
const form = document.querySelector("form[data-slip]");
const boxes = (of) => [...of.querySelectorAll(".put[data-game]")];

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// ---- a Tuppen slip: a box for every game and seat --------------------------------------------------------

function places(of) {
  const table = of.querySelector("table.slip");
  const report = of.querySelector("[data-check]");
  const points = table.dataset.points.split(",").map(Number);
  const all = boxes(of);
  const before = new Map(all.map((box) => [box, box.value]));
  const byPoints = () => of.querySelector("[name=by]:checked")?.value === "points";
  const column = (game) => all.filter((box) => box.dataset.game === game);
  const nameOf = (box) => box.closest("tr").querySelector("th").textContent.trim();
  let why = "";

  // The values that a box may still have: in its column every place once, points as often as they are given.
  function left(box) {
    const mates = column(box.dataset.game);
    const due = byPoints() ? points.slice(0, mates.length).map(String) : mates.map((_, at) => String(at + 1));
    for (const other of mates) {
      const at = other === box ? -1 : due.indexOf(other.value);
      if (at >= 0) due.splice(at, 1);
    }
    return due;
  }

  function show() {
    const games = [...new Set(all.map((box) => box.dataset.game))];
    report.textContent = "";
    for (const game of games) {
      const mates = column(game);
      const empty = mates.filter((box) => !box.value);
      if (empty.length === mates.length) continue;
      const rest = empty.length ? left({ dataset: { game } }).join(", ") : "";
      const line = report.appendChild(document.createElement("li"));
      line.textContent = fill(empty.length ? report.dataset.left : report.dataset.full, { game, places: rest });
      line.dataset.done = String(!empty.length);
    }
    if (why) {
      const line = report.appendChild(document.createElement("li"));
      line.textContent = why;
      line.className = "is-wrong";
    }
    report.hidden = !report.childElementCount;
    for (const row of table.querySelectorAll("tbody tr")) {
      const made = [...row.querySelectorAll(".put[data-game]")].filter((box) => box.value).map((box) => (
        byPoints() ? Number(box.value) : points[Number(box.value) - 1] ?? 0
      ));
      row.querySelector(".made").textContent = made.length ? made.reduce((sum, one) => sum + one, 0) : "";
    }
  }

  function onward(box) {
    const next = all.filter((one) => one.dataset.game === box.dataset.game).find((one) => !one.value)
      ?? inOrder().find((one) => !one.value);
    if (next) next.focus();
    else (of.querySelector("[name=reason]:placeholder-shown") ?? of.querySelector("[data-send]"))?.focus();
  }

  const inOrder = () => [...all].sort((a, b) => a.dataset.game - b.dataset.game || all.indexOf(a) - all.indexOf(b));

  // In a column that is full, a place that another has goes to this box, and theirs becomes the old one: so the new
  // order can be typed from the first box to the last.
  function exchanged(box, text, old) {
    const mates = column(box.dataset.game).filter((other) => other !== box);
    const last = text.slice(-1);
    const owner = mates.find((other) => other.value === text) ?? mates.find((other) => other.value === last);
    if (mates.some((other) => !other.value) || (!owner && text !== old && last !== old)) return false;
    box.value = owner ? owner.value : old;
    if (owner) owner.value = old;
    for (const other of [box, owner]) if (other) before.set(other, other.value);
    why = "";
    show();
    const order = inOrder();
    const next = order[order.indexOf(box) + 1];
    if (next) next.focus();
    else onward(box);
    return true;
  }

  function typed(box) {
    const old = before.get(box) ?? "";
    const text = box.value.replace(/\D/g, "");
    if (text && old && exchanged(box, text, old)) return;
    const due = left(box);
    // The last digit typed counts where the whole text may not stand.
    const value = [text, text.slice(-1)].find((one) => due.includes(one) || due.some((other) => other.length > one.length && other.startsWith(one))) ?? "";
    why = "";
    if (text && !value) {
      const mates = column(box.dataset.game);
      const owner = mates.find((other) => other !== box && other.value === text.slice(-1));
      why = owner
        ? fill(report.dataset.used, { name: nameOf(owner), value: text.slice(-1), game: box.dataset.game })
        : fill(report.dataset.never, { value: text.slice(-1), possible: due.join(", ") });
      box.value = due.includes(old) ? old : "";
      box.classList.add("is-bad");
      setTimeout(() => box.classList.remove("is-bad"), 600);
      show();
      return;
    }
    box.value = value;
    before.set(box, value);
    if (value && due.includes(value) && !due.some((one) => one !== value && one.startsWith(value) && one.length > value.length)) {
      const rest = column(box.dataset.game).filter((one) => !one.value);
      if (rest.length === 1) {
        rest[0].value = left(rest[0])[0] ?? "";
        before.set(rest[0], rest[0].value);
      }
      onward(box);
    }
    show();
  }

  for (const box of all) {
    box.addEventListener("input", () => typed(box));
    box.addEventListener("focus", () => box.select());
    box.addEventListener("keydown", (event) => {
      const order = inOrder();
      const at = order.indexOf(box);
      const rows = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const wide = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (rows) order[at + rows]?.focus();
      else if (wide) order[at + wide * column(box.dataset.game).length]?.focus();
      else if (event.key === "Backspace" && !box.value) order[at - 1]?.focus();
      else return;
      event.preventDefault();
    });
  }
  for (const radio of of.querySelectorAll("[name=by]")) {
    radio.addEventListener("change", () => {
      for (const box of all) {
        box.value = "";
        before.set(box, "");
      }
      show();
      inOrder()[0]?.focus();
    });
  }
  of.addEventListener("submit", (event) => {
    const empty = inOrder().find((box) => !box.value);
    if (!empty) return;
    event.preventDefault();
    empty.focus();
    why = fill(report.dataset.empty, { name: nameOf(empty), game: empty.dataset.game });
    show();
  });
  show();
  // Digits typed before this script came are all in one box; they go where they would have gone.
  for (const box of all.filter((one) => one.value !== one.defaultValue && !left(one).includes(one.value))) {
    const early = box.value.replace(/\D/g, "");
    box.value = "";
    before.set(box, "");
    box.focus();
    for (const digit of early) {
      const at = document.activeElement;
      if (!all.includes(at)) break;
      at.value += digit;
      typed(at);
    }
  }
}

// ---- a slip in words: the office is asked what it says to them -------------------------------------------

function words(of) {
  const field = of.querySelector("[data-words]");
  const report = of.querySelector("[data-check]");
  const keys = of.querySelector(".sheet-keys");
  const address = of.closest("[data-check]").dataset.check;
  let timer = 0;
  let asked = 0;

  async function ask() {
    const own = ++asked;
    // Without a server nothing is checked; what is sent then waits for it.
    const answer = await fetch(address, { method: "POST", body: new FormData(of) }).catch(() => null);
    if (!answer?.ok || own !== asked) return;
    const { good, lines } = await answer.json();
    report.replaceChildren(...lines.map((text) => {
      const line = document.createElement("li");
      line.textContent = text;
      line.dataset.done = String(good);
      return line;
    }));
    report.hidden = !field.value.trim();
  }
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 200);
  });
  if (keys) {
    keys.hidden = false;
    keys.addEventListener("click", ({ target }) => {
      const key = target.closest("[data-word], [data-back]");
      if (!key) return;
      const said = field.value.split(/\s+/).filter(Boolean);
      field.value = (key.dataset.word ? [...said, key.dataset.word] : said.slice(0, -1)).join(" ");
      ask();
    });
  }
  of.addEventListener("submit", (event) => {
    if (field.value.trim()) return;
    event.preventDefault();
    field.focus();
    const line = document.createElement("li");
    line.textContent = report.dataset.blank;
    line.className = "is-wrong";
    report.replaceChildren(line);
    report.hidden = false;
  });
  if (field.value) ask();
}

// ---- sending: what was typed is kept until the server has it ---------------------------------------------

const KEPT = "nousu.slip ";
const OLDEST = 12 * 3_600_000;
const REQUEST_TIMEOUT = 8_000;
const LONGEST = 15_000;

function keep(key, fields) {
  try {
    if (fields) localStorage.setItem(key, JSON.stringify({ at: Date.now(), fields }));
    else localStorage.removeItem(key);
  } catch {
    // a browser that keeps nothing still sends again while the page is open
  }
}

function kept(key) {
  try {
    const { at, fields } = JSON.parse(localStorage.getItem(key)) ?? {};
    return Date.now() - at < OLDEST ? fields : null;
  } catch {
    return null;
  }
}

function sending(of) {
  const notice = of.querySelector("[data-unsent]");
  const key = KEPT + new URL(of.action).pathname;
  let native = false;
  let busy = false;
  let fails = 0;
  let timer = 0;

  async function send(button) {
    if (busy) return;
    busy = true;
    clearTimeout(timer);
    const body = new FormData(of);
    const address = button?.hasAttribute("formaction") ? button.formAction : of.action;
    if (fails) body.set("again", "yes");
    try {
      const answer = await fetch(address, { method: "POST", body, signal: AbortSignal.timeout(REQUEST_TIMEOUT) });
      if (answer.status >= 500) throw new Error(answer.statusText);
      keep(key, null);
      if (answer.ok) location.assign(answer.url);
      else {
        native = true; // a refusal has a page of its own
        of.requestSubmit(button);
      }
    } catch {
      keep(key, [...body]);
      fails += 1;
      notice.hidden = false;
      timer = setTimeout(() => send(button), Math.min(LONGEST, 1_000 * 2 ** fails));
    }
    busy = false;
  }

  of.addEventListener("submit", (event) => {
    if (event.defaultPrevented || native) return;
    event.preventDefault();
    send(event.submitter);
  });
  addEventListener("online", () => { if (fails) send(of.querySelector("[data-send]")); });

  // A slip that was typed here and never arrived is sent now.
  const fields = kept(key);
  if (!fields) return;
  for (const [name, value] of fields) {
    const box = [...of.elements].find((one) => one.name === name && (one.type !== "radio" || one.value === value));
    if (box?.type === "radio") box.checked = true;
    else if (box && box.type !== "hidden") box.value = value;
  }
  fails = 1;
  notice.hidden = false;
  send(of.querySelector("[data-send]"));
}

for (const one of document.querySelectorAll("form[data-slip]")) {
  if (one.querySelector(".put[data-game]")) places(one);
  else if (one.querySelector("[data-words]")) words(one);
  if (one.querySelector("[data-unsent]")) sending(one);
}
// The slip that is to be typed is ready for the first key; who is typing already keeps their place.
const first = form && !form.closest("details") && (boxes(form).find((box) => !box.value) ?? form.querySelector("[data-words]"));
if (first && !location.hash && !form.contains(document.activeElement)) first.focus({ preventScroll: true });
