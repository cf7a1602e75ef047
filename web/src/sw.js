// Service worker: caches the app shell and the rules for offline use, and no game data. The engine
// (local/files.ts) is kept in a cache of its own, once somebody wanted it.
const SHELL = __SHELL__;
const ENGINE_SCRIPT = __ENGINE_SCRIPT__;
const CACHE = `tuilerie-${__VERSION__}`;
const ENGINE = "tuilerie-engine";
/** `tuilerie site` sets it. */
const STATIC = false;
/** Texts that are the same for everybody: from the network if possible. */
const TEXTS = __TEXTS__[STATIC ? "site" : "server"];

const scope = new URL("./", location.href).pathname;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => Promise.all([shell(cache), texts(cache)]))
      .then(renewEngine)
      .then(() => self.skipWaiting()),
  );
});

/** All files, a few at a time: the page itself comes first. */
async function shell(cache) {
  const left = [...SHELL];
  const keep = async () => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      let answer = await fetch(file);
      for (let tries = 0; answer.status === 429 && tries < 5; tries++) {
        const seconds = Number(answer.headers.get("Retry-After")) || 1;
        await new Promise((done) => setTimeout(done, 1000 * seconds));
        answer = await fetch(file);
      }
      if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
      await cache.put(file, answer);
    }
  };
  await Promise.all(Array.from({ length: 4 }, keep));
}

/** A server may be too busy for these: not worth failing for. */
async function texts(cache) {
  for (const url of TEXTS) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) await cache.put(url, answer);
    else await answer?.body?.cancel(); // else it would hold its connection
  }
}

/** If the engine is kept here, it must not be missing after an update, without a network. */
async function renewEngine() {
  if (!(await caches.has(ENGINE))) return;
  const manifest = await fetch("engine/manifest.json", { cache: "no-cache" });
  if (!manifest.ok) return;
  const { files } = await manifest.clone().json();
  if (files.length === 0) return; // this server has none
  const cache = await caches.open(ENGINE);
  if (!(await cache.match(ENGINE_SCRIPT))) await cache.add(ENGINE_SCRIPT);
  for (const { file } of files) {
    if (!(await cache.match(`engine/${file}`))) await cache.add(`engine/${file}`);
  }
  await cache.put("engine/manifest.json", manifest);
}

self.addEventListener("activate", (event) => {
  const kept = (name) => name === CACHE || name === ENGINE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((n) => !kept(n)).map((n) => caches.delete(n))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (!url.pathname.startsWith(scope)) return;
  const path = url.pathname.slice(scope.length);
  if (TEXTS.includes(path + url.search)) {
    event.respondWith(fetch(event.request).catch(() => caches.match(event.request)));
    return;
  }
  // The engine's files are read, checked and kept by the page.
  if (path.startsWith("api/") || path.startsWith("engine/") || path === "ws") return;
  if (event.request.mode === "navigate") {
    event.respondWith(fetch(event.request).catch(() => caches.match("./")));
    return;
  }
  event.respondWith(caches.match(event.request).then((hit) => hit ?? fetch(event.request)));
});
