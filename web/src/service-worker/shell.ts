// The app itself, kept on the device: every screen opens without the server. What the server says is none of its
// business: it never answers for the API, the live line or pictures, and stores nothing of anyone.
declare const self: ServiceWorkerGlobalScope

export {}

/** What was built with this worker: the name of the build, the first script of its page, and every file it needs. */
declare const SHELL: { build: string; entry: string; files: string[] }

const { build, entry, files } = SHELL
const shells = 'shell-'
const current = shells + build
/** Under this name the page is kept, whatever address it was asked for by. */
const page = '/'
const atOnce = 6
let givesWay = false

// What the server answers with something else than the app's page, and files.
const notPages = /^\/(api|media|socket\.io|dev\/mail|healthz|readyz|metrics|\.well-known)(\/|$)|\.\w+$/

async function fetchAnew(address: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(address, init)
  // A network that requires its own sign-in answers every request with an HTML page.
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
  if (!answer.ok || answer.redirected || isPage !== (address === page))
    throw new Error(`${address} answered ${answer.status}.`)
  return answer
}

// Records which builds are active and next. The order of caches can't tell: a rollback reuses an old one.
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

/** Keeps the page as the server has it now, unless that is of another build: while nodes are replaced, both answer. */
async function keepPage(shell: Cache): Promise<void> {
  const answer = await fetchAnew(page, { headers: { accept: 'text/html' }, cache: 'no-cache' })
  if (!(await answer.clone().text()).includes(entry)) throw new Error('The page is of another build.')
  await shell.put(page, answer)
}

/** A file whose name changes with it may have come with an earlier build. */
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

/** Fetches the whole build, or nothing of it stays: then the browser tries again with the next visit. */
async function keepWholeShell(): Promise<void> {
  // Where only the worker has changed, pages live on what is there.
  const isNew = !(await caches.has(current))
  await keepShell().catch(async (error) => {
    if (isNew) await caches.delete(current)
    throw error
  })
  await note('/next', [current])
  // No page has ever used a build that only waited, so its cache can go.
  const active = await noted('/active')
  if (active) await forgetShellsBut([...active, current])
}

/** Pages of the build before may still be open and load their parts late: it stays until the next one. */
async function beActive(): Promise<void> {
  const shellsThere = (await caches.keys()).filter((name) => name.startsWith(shells) && name !== current)
  const before = (await noted('/active'))?.filter((name) => name !== current) ?? shellsThere
  const active = [...before.slice(-1), current]
  await note('/active', active)
  await forgetShellsBut(active)
}

/** The newest build on the device, which is not this worker's own while a newer one waits for its turn. */
const newest = async () => (await noted('/next'))?.[0] ?? current

async function answerPage(event: FetchEvent): Promise<Response> {
  if (givesWay) {
    const next = await (await caches.open(await newest())).match(page)
    if (next) return next
  }
  const shell = await caches.open(current)
  const kept = await shell.match(page)
  if (!kept) return fetch(event.request)
  // What the operator changes without a new build arrives with the next visit.
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

// A person has pressed for the new version: see platform/service-worker.ts. The worker that waits takes over once the one
// before it has ended all that it does, for which browsers give it minutes; until then it hands the new version out itself.
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
