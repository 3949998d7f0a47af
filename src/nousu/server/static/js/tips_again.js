// The page of settings: tips that were read at a learning table are shown again.
const again = document.getElementById("tips");

again.hidden = localStorage.getItem("nousu.tips") === null;
again.querySelector("button").addEventListener("click", ({ target }) => {
  const done = again.querySelector("[role=status]");
  localStorage.removeItem("nousu.tips");
  target.disabled = true;
  done.textContent = done.dataset.done;
});
