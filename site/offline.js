// Keeps the files of the site: they are answered from here, also without a network, and all of one version together.

const kept = "treemind-VERSION";
const files = ["FILES"];
const here = new URL("./", self.location.href).href;

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(kept);
    await cache.addAll(files.map((name) => new Request(here + name, { cache: "no-cache" })));
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (name.startsWith("treemind-") && name !== kept) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(here)) return;
  const page = url.pathname.endsWith("/") ? `${url.origin}${url.pathname}index.html` : `${url.origin}${url.pathname}`;
  const answer = async () => {
    const cache = await caches.open(kept);
    const known = await cache.match(page);
    if (known) return known;
    const fresh = await fetch(event.request);
    // Pictures are kept when they have been seen.
    if (fresh.ok && fresh.type === "basic") await cache.put(page, fresh.clone());
    return fresh;
  };
  event.respondWith(answer());
});
