import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { get, set } from 'idb-keyval'
import { conversationsKey, deckKey } from '../cache/keys.ts'
import { ownDetailsKey } from '../features/accounts/accounts.ts'
import { personalStore } from '../platform/personal/stores.ts'
import { useSession } from '../platform/session.ts'

// The queries stored on the device, to show their data while the server is unreachable. They are deleted when the
// session ends.
const keys: readonly QueryKey[] = [ownDetailsKey, deckKey, conversationsKey]
const isKept = new Set(keys.map((key) => hashKey(key)))
const mostRows = 50
const mostMessages = 50
/** How long to collect changes before writing them, in ms. */
const settleFor = 500

const store = () => personalStore('kept')
// Accessing IndexedDB throws if the browser blocks it. This turns the exception into a rejection.
const attempt = <T>(act: () => Promise<T>) => Promise.resolve().then(act)
const hidden = () => undefined

/**
 * Identifies the build that stored the data, because another build may expect a different structure. The URL of the
 * entry script contains a hash that changes with every build.
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

/** Drops what is valid only while the page is open: presence, the thread, and messages without a sequence number. */
const stillRow = ({ thread: _, user, messages, ...row }: Row): Row => ({
  ...row,
  user: { ...user, isOnline: false, isTyping: false },
  messages: messages?.filter(({ seq }) => seq !== undefined).slice(-mostMessages) ?? [],
})

const noPicture = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** Blanks picture URLs, because they expire after an hour and identify the viewer. */
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

export async function restoreKept(queryClient: QueryClient, viewerId: string): Promise<void> {
  const kept = await attempt(() => get<Partial<Kept>>(viewerId, store())).catch(hidden)
  if (useSession.getState().user?.id !== viewerId) return
  for (const [key, data] of (kept?.build === build() && kept.shown) || []) {
    if (queryClient.getQueryData(key) !== undefined) continue
    isRestored.add(queryClient)
    queryClient.setQueryData(key, data, { updatedAt: 0 })
  }
}

export function leaveKept(queryClient: QueryClient): void {
  if (!isRestored.delete(queryClient)) return
  for (const queryKey of keys)
    void (queryKey === conversationsKey
      ? queryClient.resetQueries({ queryKey, exact: true })
      : queryClient.invalidateQueries({ queryKey, exact: true }))
}
