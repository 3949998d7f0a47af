// A list of lessons or problems: it marks those that are done and goes on where one stopped.
import { done } from "./done_lessons.js";

const marked = done(document.querySelector("[data-course]").dataset.course);
let begin = "";
for (const item of document.querySelectorAll("li[data-lesson]")) {
  if (marked.has(item.dataset.lesson)) {
    item.classList.add("is-done");
    item.querySelector(".done").hidden = false;
  } else begin ||= item.querySelector("a").getAttribute("href");
}
if (begin) document.getElementById("begin")?.setAttribute("href", begin);
