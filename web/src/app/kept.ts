import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { get, set } from 'idb-keyval'
import { conversationsKey, deckKey } from '../cache/keys.ts'
import { ownDetailsKey } from '../features/accounts/accounts.ts'
import { personalStore } from '../platform/personal/stores.ts'
import { useSession } from '../platform/session.ts'

// What is read without the server: own details, the last deck, and conversations with their last messages. It is what this
// page knew last, only ever shown while the server does not answer, and gone with the session.
const keys: readonly QueryKey[] = [ownDetailsKey, deckKey, conversationsKey]
const isKept = new Set(keys.map((key) => hashKey(key)))
const mostRows = 50
const mostMessages = 50
/** How long changes are gathered before they are written, in ms. */
const settleFor = 500

const store = () => personalStore('kept')
// Where it is forbidden, opening it throws before there is a promise.
const attempt = <T>(act: () => Promise<T>) => Promise.resolve().then(act)
const hidden = () => undefined

/**
 * Identifies the build that stored the data, since another one may expect a different shape. The hash in the name of
 * the entry script changes with any file.
 */
const build = () => document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? ''

interface Kept {
  build: string
  shown: [QueryKey, unknown][]
}

interface Row {
  thread?: unknown
  user?: object
  messages?: readonly { seq?: number }[]
}

/** A conversation without what only lasts as long as the page. */
const stillRow = ({ thread: _, user, messages, ...row }: Row): Row => ({
  ...row,
  user: { ...user, isOnline: false, isTyping: false },
  messages: messages?.filter(({ seq }) => seq !== undefined).slice(-mostMessages) ?? [],
})

/** Nothing to see: what is drawn behind a photo shows through it. */
const noPicture = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** The same without addresses of pictures: they are signed for an hour, and name who may look. */
const withoutAddresses = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part) => (typeof part === 'string' && part.startsWith('/media/') ? noPicture : part)),
  )

function lastingOf(queryClient: QueryClient): [QueryKey, unknown][] {
  return keys.flatMap((key): [QueryKey, unknown][] => {
    const data = queryClient.getQueryData(key)
    if (data === undefined) return []
    const lasting = key === conversationsKey ? (data as Row[]).slice(0, mostRows).map(stillRow) : data
    return [[key, withoutAddresses(lasting)]]
  })
}

/** Keeps what `queryClient` knows, for a visit without the server. Returns how to stop. */
export function keepForLater(queryClient: QueryClient, viewerId: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const isSignedIn = () => useSession.getState().user?.id === viewerId
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    const shown = lastingOf(queryClient)
    if (isSignedIn() && shown.length > 0 && !isRestored.has(queryClient))
      void attempt(() => set(viewerId, { build: build(), shown } satisfies Kept, store())).catch(hidden)
  }
  const hide = () => timer && write()
  const silence = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && isKept.has(query.queryHash)) timer ??= setTimeout(write, settleFor)
  })
  window.addEventListener('pagehide', hide)
  return () => {
    clearTimeout(timer)
    silence()
    window.removeEventListener('pagehide', hide)
  }
}

const isRestored = new WeakSet<QueryClient>()

/** Shows what an earlier visit knew, where this one knows nothing yet. */
export async function restoreKept(queryClient: QueryClient, viewerId: string): Promise<void> {
  const kept = await attempt(() => get<Partial<Kept>>(viewerId, store())).catch(hidden)
  if (useSession.getState().user?.id !== viewerId) return
  for (const [key, data] of (kept?.build === build() && kept.shown) || []) {
    if (queryClient.getQueryData(key) !== undefined) continue
    isRestored.add(queryClient)
    queryClient.setQueryData(key, data, { updatedAt: 0 })
  }
}

/** The server answers again: what was restored gives way to what it says, as on any first visit. */
export function leaveKept(queryClient: QueryClient): void {
  if (!isRestored.delete(queryClient)) return
  for (const queryKey of keys)
    void (queryKey === conversationsKey
      ? queryClient.resetQueries({ queryKey, exact: true })
      : queryClient.invalidateQueries({ queryKey, exact: true }))
}
