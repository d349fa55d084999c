import type { Session } from '@duet/contract/accounts.ts'
import { create } from 'zustand'
import { deviceTexts } from './storage.ts'

export const storageKey = 'user'

export type SocketStatus = 'off' | 'connecting' | 'connected' | 'reconnecting'

interface SessionState {
  user: Session | null
  socketStatus: SocketStatus
  /** The server has refused a request because the account is suspended. The person can only see their standing. */
  suspended: boolean
  /** Whether the browser stored the user, so that they stay signed in after a reload. */
  remembered: boolean
  /**
   * True if the last session ended by signing out here or by any change in another tab, false if the server ended it.
   */
  signedOut: boolean
  /** Stores a sign-in response and returns true, or returns false if the response contains no token. */
  signIn: (response: unknown) => boolean
  amend: (id: string, changes: Partial<Session>) => void
  /** Signs out on this device immediately, and asks the server to end the session. */
  signOut: () => Promise<void>
  forget: () => void
  setSocketStatus: (status: SocketStatus) => void
  setSuspended: (suspended: boolean) => void
}

/** The stored user with valid types: missing values and values of another type become empty. */
function legible(stored: object): Session {
  const { name, email, images } = stored as { [Key in keyof Session]?: unknown }
  return {
    ...(stored as Session),
    name: typeof name === 'string' ? name : '',
    email: typeof email === 'string' ? email : '',
    images: Array.isArray(images) ? images : [],
  }
}

function readStoredUser(): Session | null {
  try {
    const text = deviceTexts.read(storageKey)
    const value: unknown = text === null ? null : JSON.parse(text)
    return typeof value === 'object' && value !== null ? legible(value) : null
  } catch {
    return null
  }
}

const hasToken = (value: unknown): value is Session =>
  typeof value === 'object' && value !== null && 'token' in value && Boolean(value.token)

/** Resets what the server reported about the previous user. */
const become = ({ user: before, suspended }: SessionState, user: Session | null) => ({
  user,
  suspended: suspended && user?.id === before?.id,
})

export const useSession = create<SessionState>()((set, get) => {
  const store = (user: Session, write: typeof deviceTexts.write) => {
    const remembered = write(storageKey, JSON.stringify(user))
    set((before) => ({ ...become(before, legible(user)), remembered }))
  }
  const forget = (signedOut = false) => {
    deviceTexts.remove(storageKey)
    set({ user: null, suspended: false, signedOut })
  }
  return {
    user: readStoredUser(),
    socketStatus: 'off',
    suspended: false,
    remembered: true,
    signedOut: false,
    signIn: (response) => {
      if (!hasToken(response)) return false
      store(response, deviceTexts.write)
      return true
    },
    amend: (id, changes) => {
      const { user } = get()
      if (user?.id === id) store({ ...user, ...changes }, deviceTexts.amend)
    },
    signOut: async () => {
      const token = get().user?.token
      forget(true)
      if (token) await endOnServer(token)
    },
    forget: () => forget(),
    setSocketStatus: (socketStatus) => set({ socketStatus }),
    setSuspended: (suspended) => set({ suspended }),
  }
})

async function endOnServer(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  await fetch('/api/user/signOut', { method: 'POST', headers, keepalive: true }).catch(() => undefined)
}

export const useHasNavigation = () => useSession(({ user, suspended }) => user !== null && !suspended)

/**
 * For work that takes several requests. The returned check throws if the person who started the work is no longer
 * signed in.
 */
export function samePerson(): () => void {
  const id = useSession.getState().user?.id
  return () => {
    if (useSession.getState().user?.id !== id) throw new Error('The person who started this is no longer signed in.')
  }
}

/**
 * Calls `forget` with the previous person's id whenever a different person signs in or someone signs out. Use it to
 * clear personal data outside the query cache.
 */
export function whenPersonChanges(forget: (leftId: string | undefined) => void): void {
  useSession.subscribe((now, before) => {
    if (now.user?.id !== before.user?.id) forget(before.user?.id)
  })
}

/** Applies changes that other tabs make to the stored user. Returns a function that stops listening. */
export function followOtherTabs(): () => void {
  const follow = (event: StorageEvent) => {
    if (event.key !== storageKey && event.key !== null) return
    useSession.setState((before) => ({ ...become(before, readStoredUser()), signedOut: true }))
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}
