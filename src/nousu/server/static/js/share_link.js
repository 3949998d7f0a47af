// A button that sends a link: through the device where it can, else by the clipboard, else by the address bar.
export function shares(button, address) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const url = new URL(address(), location.href).href;
    if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {});
    const label = button.querySelector("span");
    try {
      await navigator.clipboard.writeText(url);
      label.textContent = button.dataset.done;
    } catch {
      if (new URL(url).pathname === location.pathname) history.replaceState(null, "", url);
      label.textContent = button.dataset.else;
    }
  });
}

// A button that sends the text it holds.
export function sharesText(button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const { text, done, else: otherwise } = button.dataset;
    if (navigator.share) return navigator.share({ text }).catch(() => {});
    const label = button.querySelector("span");
    label.textContent = await navigator.clipboard.writeText(text).then(() => done, () => `${otherwise} ${text}`);
  });
}
