// Stores the app's own files, so that every screen opens when the server is unreachable. Never handles requests for the
// API, the live connection or pictures, and stores no personal data.
declare const self: ServiceWorkerGlobalScope

export {}

/** Set by the build: the build's id, the page's entry script, and all files that the app needs. */
declare const SHELL: { build: string; entry: string; files: string[] }

const { build, entry, files } = SHELL
const shells = 'shell-'
const current = shells + build
/** The cache key of the page, which is the same HTML for every URL. */
const page = '/'
const atOnce = 6
let givesWay = false

// Paths where the server doesn't return the app's page, and paths of files.
const notPages = /^\/(api|media|socket\.io|dev\/mail|healthz|readyz|metrics|\.well-known)(\/|$)|\.\w+$/

async function fetchAnew(address: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(address, init)
  // A network that requires its own sign-in responds to every request with an HTML page.
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
  if (!answer.ok || answer.redirected || isPage !== (address === page))
    throw new Error(`${address} answered ${answer.status}.`)
  return answer
}

// Records which builds are active and next. The order of the caches isn't reliable, because a rollback reuses an old
// one.
const notes = 'builds'
type Note = '/active' | '/next'

async function note(name: Note, builds: readonly string[]): Promise<void> {
  await (await caches.open(notes)).put(name, Response.json(builds))
}

async function noted(name: Note): Promise<string[] | undefined> {
  return (await caches.match(name, { cacheName: notes }))?.json()
}

async function forgetShellsBut(wanted: readonly string[]): Promise<void> {
  const left = (await caches.keys()).filter((name) => name.startsWith(shells) && !wanted.includes(name))
  await Promise.all(left.map((name) => caches.delete(name)))
}

/** Stores the server's page. Throws if it's from another build: old and new servers both respond during an update. */
async function keepPage(shell: Cache): Promise<void> {
  const answer = await fetchAnew(page, { headers: { accept: 'text/html' }, cache: 'no-cache' })
  if (!(await answer.clone().text()).includes(entry)) throw new Error('The page is of another build.')
  await shell.put(page, answer)
}

/** Files in /assets/ have a content hash in their names, so a copy stored by an earlier build can be reused. */
async function keepFile(shell: Cache, path: string): Promise<void> {
  const isLasting = path.startsWith('/assets/')
  const kept = isLasting && (await caches.match(path))
  await shell.put(path, kept || (await fetchAnew(path, { cache: isLasting ? 'default' : 'no-cache' })))
}

async function keepShell(): Promise<void> {
  const shell = await caches.open(current)
  await keepPage(shell)
  const left = [...files]
  const fetchSome = async () => {
    for (let path = left.pop(); path; path = left.pop()) await keepFile(shell, path)
  }
  await Promise.all(Array.from({ length: atOnce }, fetchSome))
}

/** Stores either the whole build or nothing. After a failure, the browser tries again at the next visit. */
async function keepWholeShell(): Promise<void> {
  // If the cache already exists, only the worker changed and pages are using the cache, so a failure must not delete
  // it.
  const isNew = !(await caches.has(current))
  await keepShell().catch(async (error) => {
    if (isNew) await caches.delete(current)
    throw error
  })
  await note('/next', [current])
  // A build that never became active isn't used by any page, so its cache can be deleted.
  const active = await noted('/active')
  if (active) await forgetShellsBut([...active, current])
}

/** Also keeps the cache of the previous build, because pages of that build may still be open and load more files. */
async function beActive(): Promise<void> {
  const shellsThere = (await caches.keys()).filter((name) => name.startsWith(shells) && name !== current)
  const before = (await noted('/active'))?.filter((name) => name !== current) ?? shellsThere
  const active = [...before.slice(-1), current]
  await note('/active', active)
  await forgetShellsBut(active)
}

/** The newest build on the device. It belongs to another worker while that worker is waiting. */
const newest = async () => (await noted('/next'))?.[0] ?? current

async function answerPage(event: FetchEvent): Promise<Response> {
  if (givesWay) {
    const next = await (await caches.open(await newest())).match(page)
    if (next) return next
  }
  const shell = await caches.open(current)
  const kept = await shell.match(page)
  if (!kept) return fetch(event.request)
  // Updates the page for the next visit, because the operator may have changed it without a new build.
  event.waitUntil(keepPage(shell).catch(() => undefined))
  return kept
}

async function answerFile(request: Request): Promise<Response> {
  const own = await (await caches.open(current)).match(request, { ignoreVary: true })
  return own ?? (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
}

self.addEventListener('install', (event) => {
  event.waitUntil(keepWholeShell())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(beActive().then(() => self.clients.claim()))
})

// A person asked for the new version; see platform/service-worker.ts. The waiting worker takes over only when the
// active one has finished its work, which may take minutes. Until then, the active worker serves the new version.
self.addEventListener('message', ({ data }) => {
  if (data === 'take-over') void self.skipWaiting()
  if (data === 'give-way') givesWay = true
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (!notPages.test(pathname)) event.respondWith(answerPage(event))
  } else if (files.includes(pathname) || pathname.startsWith('/assets/')) {
    event.respondWith(answerFile(request))
  }
})
