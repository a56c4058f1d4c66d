declare const self: ServiceWorkerGlobalScope;

/** Written by the build: the files of the page, relative to the root of the console, and a hash of their names. */
declare const builtShell: { readonly version: string; readonly files: readonly string[] };

const prefix = 'tocsin-phone-';
const cacheName = prefix + builtShell.version;
/** The root of the console, which may have a base path. */
export const root = new URL('./', self.location.href);
const page = new URL('m', root);
const kept = new Set(builtShell.files.map((file) => new URL(file, root).href));
/** On a bad line the kept page is shown after this time. */
const answerWithinMs = 4_000;

/** Keeps the page and its files. The names of the files contain their hash, so they never change. */
export async function keepShell(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll([...kept]);
  await cache.put(page, await fetch(page, { cache: 'no-store' }));
}

/** Each build has a shell of its own: nothing of an old one stays. */
export async function dropOldShells(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** The page of the server, so that it is never older than the server; without one the kept page. */
export function answerPage(request: Request): Promise<Response> | undefined {
  const { pathname } = new URL(request.url);
  if (pathname !== page.pathname && !pathname.startsWith(`${page.pathname}/`)) return undefined;
  return pageOrKept(request);
}

async function pageOrKept(request: Request): Promise<Response> {
  const answer = await fetch(request, { signal: AbortSignal.timeout(answerWithinMs) }).catch(() => undefined);
  if (answer && answer.status < 500) return answer;
  return (await findKept(page)) ?? answer ?? Response.error();
}

/** A file of the page, from the cache; undefined for everything else. */
export function answerFile(request: Request): Promise<Response> | undefined {
  if (request.method !== 'GET' || !kept.has(request.url.replace(/#.*$/, ''))) return undefined;
  return findKept(request.url).then((found) => found ?? fetch(request));
}

async function findKept(url: URL | string): Promise<Response | undefined> {
  return (await caches.open(cacheName)).match(url, { ignoreVary: true });
}
