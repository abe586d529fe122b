/**
 * The service worker of the page.  The user turns it on.  It stores the files of the page, so that the page opens
 * without network.  It adds the headers of cross-origin isolation, which some hosts do not send.  A request goes to the
 * network first; a stored answer is for a missing network only.
 */

const CACHE = 'heed page';
/** List of the files that are stored at once, which the build writes. */
const LIST = './offline-files.json';
/** Largest file that is stored when the page requests it; larger models have a place of their own. */
const MAX_BYTES = 32 << 20;

const worker = /** @type {any} */ (self);
const folder = new URL('./', location.href).href;

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(storePage()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === 'GET' && request.url.startsWith(folder)) event.respondWith(answer(request));
});

async function storePage() {
  const files = await (await fetch(LIST, { cache: 'no-cache' })).json();
  const cache = await caches.open(CACHE);
  await cache.addAll(files.map((/** @type {string} */ file) => new URL(file, folder).href));
  await worker.skipWaiting();
}

/** @param {Request} request @returns {Promise<Response>} */
async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    const isSmall = Number(response.headers.get('content-length') ?? 0) <= MAX_BYTES;
    if (response.status === 200 && isSmall && !request.headers.has('range')) {
      cache.put(request, response.clone()).catch(() => {}); // without space, the stored answer stays
    }
    return isolated(response);
  } catch (error) {
    const stored = await cache.match(request, { ignoreSearch: request.mode === 'navigate' });
    if (stored) return isolated(stored);
    throw error;
  }
}

/** The answer with the headers that share memory between threads. @param {Response} response */
function isolated(response) {
  if (response.type === 'opaqueredirect' || response.type === 'error') return response;
  const { status, statusText, headers: given } = response;
  const headers = new Headers(given);
  headers.set('cross-origin-opener-policy', 'same-origin');
  headers.set('cross-origin-embedder-policy', 'require-corp');
  headers.set('cross-origin-resource-policy', 'same-origin');
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : response.body, { status, statusText, headers });
}
