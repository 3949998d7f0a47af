// The setting of notices to closed pages: permission is asked when somebody switches them on, never before.
const setting = document.getElementById("notices");
const status = setting?.querySelector("[role=status]");
const [off, on] = setting?.querySelectorAll("input") ?? [];

const ask = (what, subscription) => {
  const { endpoint, keys } = subscription.toJSON();
  return fetch(`/notices/${what}`, { method: "POST", body: JSON.stringify({ endpoint, ...keys }) });
};

function bytes(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

async function subscribe({ pushManager }) {
  if (await Notification.requestPermission() !== "granted") return setting.dataset.barred;
  // One made with another key, before the server had this one, is worth nothing.
  await (await pushManager.getSubscription())?.unsubscribe();
  let made;
  try {
    made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(setting.dataset.key) });
  } catch {
    return setting.dataset.failed;
  }
  const answer = await ask("on", made).catch(() => null);
  if (answer?.ok) return "";
  await made.unsubscribe();
  return (await answer?.json().catch(() => null))?.error ?? setting.dataset.failed;
}

async function unsubscribe({ pushManager }) {
  const found = await pushManager.getSubscription();
  if (!found) return;
  await ask("off", found).catch(() => null); // the push service answers the next notice by 410
  await found.unsubscribe();
}

async function begin() {
  const worker = await navigator.serviceWorker.ready;
  const found = await worker.pushManager.getSubscription();
  if (found && Notification.permission === "granted") {
    on.checked = (await (await ask("asked", found)).json()).on;
  }
  setting.hidden = false;
  setting.addEventListener("change", async () => {
    setting.disabled = true;
    status.textContent = "";
    if (on.checked) {
      status.textContent = await subscribe(worker);
      off.checked = status.textContent !== "";
    } else await unsubscribe(worker);
    setting.disabled = false;
    (on.checked ? on : off).focus();
  });
}

if (setting && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window) begin();
