// Which lessons are done is kept by the browser alone; the list marks them and goes on where one stopped.
const KEY = "nousu-learn";
const box = document.querySelector("[data-course]");
const course = box.dataset.course;

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

const all = kept();
const done = new Set(Array.isArray(all[course]) ? all[course] : []);

if ("done" in box.dataset) {
  done.add(box.dataset.lesson);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all, [course]: [...done] }));
  } catch {
    // no room or no leave to keep anything: the lessons work without
  }
  focused(document.getElementById("next"));
} else if (document.getElementById("answer")?.textContent.trim()) {
  focused(document.querySelector(".pick-cards :is(button, input)"));
}

// The keyboard goes on where it makes sense, but what was answered stays in sight.
function focused(wanted) {
  wanted?.focus({ preventScroll: true });
  document.getElementById("answer").scrollIntoView({ block: "nearest" });
}

let begin = "";
for (const item of document.querySelectorAll("li[data-lesson]")) {
  if (done.has(item.dataset.lesson)) {
    item.classList.add("is-done");
    item.querySelector(".done").hidden = false;
  } else begin ||= item.querySelector("a").getAttribute("href");
}
if (begin) document.getElementById("begin")?.setAttribute("href", begin);
