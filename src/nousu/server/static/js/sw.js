// The installed app without a network: a page that says so. Nothing of a table is ever kept here.
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
