// Talk at the table: sent over the table's own line, shown as it comes, counted while it is out of sight.
const box = () => document.getElementById("talk");
const open = document.getElementById("talk-open");
const said = document.getElementById("said");
const wide = matchMedia("(min-width: 1200px)");
const LONG = 5000; // ms that something said is shown over the score
let last = -1; // the number of the last line that was drawn
let timer = 0;

const inSight = () => location.hash === "#talk" || wide.matches || document.querySelector(".lobby");

// Forms of talk go over the line instead; the rest of the page stays as it is.
export function talks(send) {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("#talk-form, [id^=mute-], #ask-form, #answer-form")) return;
    event.preventDefault();
    const message = asked(form, event.submitter);
    if (!message) return;
    send(message);
    if (message.write) form.elements.write.value = "";
    else if ((message.say || message.ask) && !wide.matches && location.hash === "#talk") location.hash = "stage";
  });
  addEventListener("hashchange", () => { if (location.hash === "#talk") read(); });
  last = number();
  scroll();
}

// What was refused may be sent again.
export function unsaid(message) {
  const field = document.querySelector("#talk-form [name=write]");
  if (message?.write && field && !field.value) field.value = message.write;
}

function asked(form, button) {
  if (button?.name === "answer") return { answer: button.value === "yes" };
  if (button?.name === "ask") return sure(button) ? { ask: button.value, seq: Number(form.elements.seq.value) } : null;
  if (button?.name === "say") return { say: button.value };
  if (button?.name === "report") return sure(button) ? { report: Number(button.value) } : null;
  if (form.elements.mute) return { mute: Number(form.elements.mute.value), off: form.elements.off.value === "yes" };
  const write = form.elements.write?.value.trim();
  return write ? { write } : null;
}

// Showing somebody's words to the host is asked once more, on the button itself.
function sure(button) {
  if ("asked" in button.dataset) return true;
  button.dataset.asked = "";
  const label = button.querySelector("span > span");
  const was = label.textContent;
  label.textContent = button.dataset.sure;
  setTimeout(() => {
    delete button.dataset.asked;
    label.textContent = was;
  }, 5000);
  return false;
}

const number = () => Number(box()?.dataset.last ?? 0);

function scroll() {
  const lines = document.getElementById("talk-lines");
  if (lines) lines.scrollTop = lines.scrollHeight;
}

function read() {
  delete open.dataset.unread;
  open.ariaLabel = box()?.querySelector("h2").textContent ?? "";
  said.hidden = true;
  scroll();
}

// After each picture: what is new is shown for a while where the list is not in sight.
export function talked() {
  open.hidden = !box() || Boolean(document.querySelector(".lobby"));
  open.closest(".place").toggleAttribute("data-talks", !open.hidden);
  if (number() <= last) return;
  const line = document.getElementById(`said-${number()}`);
  last = number();
  scroll();
  if (inSight() || !line) return;
  if (!line.classList.contains("is-mine")) {
    open.dataset.unread = "";
    open.ariaLabel = open.dataset.new;
  }
  said.textContent = `${line.querySelector("b").textContent}: ${line.querySelector("span").textContent}`;
  said.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { said.hidden = true; }, LONG);
}
