// The installed app without a network: a page that says so; and notices to closed pages, where the person has
// asked for them. Nothing of a table is ever kept here.
const KEPT = "nousu offline 1";
const PAGE = "/offline";

addEventListener("install", (event) => event.waitUntil((async () => {
  const kept = await caches.open(KEPT);
  const page = await fetch(PAGE);
  const parts = (await page.clone().text()).matchAll(/(?:href|src)="(\/static\/[^"]+)"/g);
  await kept.put(PAGE, page);
  await kept.addAll([...new Set([...parts].map(([, address]) => address))]);
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
})()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(PAGE)));
  else if (new URL(request.url).pathname.startsWith("/static/")) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
  }
});

addEventListener("push", (event) => {
  const { title, body, lang, address } = event.data.json();
  const icon = "/static/icons/192.png";
  event.waitUntil(registration.showNotification(title, { body, lang, icon, tag: address, data: address }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = event.notification.data;
  event.waitUntil((async () => {
    const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const table = open.find((one) => new URL(one.url).pathname === address);
    await (table ? table.focus() : clients.openWindow(address));
  })());
});

// A push service may give a browser another address; the server is told, or sends nothing any more.
addEventListener("pushsubscriptionchange", (event) => event.waitUntil((async () => {
  const options = event.oldSubscription?.options;
  const found = event.newSubscription ?? (options && await registration.pushManager.subscribe(options));
  if (!found) return;
  const { endpoint, keys } = found.toJSON();
  await fetch("/notices/on", { method: "POST", body: JSON.stringify({ endpoint, ...keys }) });
})()));
