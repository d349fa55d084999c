import type { Session } from '@duet/contract/accounts.ts'
import { create } from 'zustand'

/** The local storage key of the stored user. */
export const storageKey = 'user'

export type SocketStatus = 'off' | 'connecting' | 'connected' | 'reconnecting'

interface SessionState {
  /** The stored user: what sign-in answered, whole. */
  user: Session | null
  socketStatus: SocketStatus
  /** The server has said that nothing but the own standing is left to this user. */
  suspended: boolean
  /** Who signed out on this page last, of their own will. */
  leftId: string | null
  /** Keeps the answer of a sign-in, only if it holds a token. Tells whether it did. */
  signIn: (response: unknown) => boolean
  /** Changes fields of the stored user, while it is the one with this id. */
  amend: (id: string, changes: Partial<Session>) => void
  /** Ends the session on the server as well as may be, and forgets the user at once. */
  signOut: () => Promise<void>
  /** Forgets the user without asking the server. */
  forget: () => void
  setSocketStatus: (status: SocketStatus) => void
  setSuspended: (suspended: boolean) => void
}

/** The stored user as screens may rely on, whoever wrote it: what is missing or of another kind is empty. */
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
    const text = localStorage.getItem(storageKey)
    const value: unknown = text === null ? null : JSON.parse(text)
    return typeof value === 'object' && value !== null ? legible(value) : null
  } catch {
    return null
  }
}

const hasToken = (value: unknown): value is Session =>
  typeof value === 'object' && value !== null && 'token' in value && Boolean(value.token)

/** The next stored user; what the server said of the one before holds for nobody else. */
const become = ({ user: before, suspended }: SessionState, user: Session | null) => ({
  user,
  suspended: suspended && user?.id === before?.id,
})

export const useSession = create<SessionState>()((set, get) => {
  const store = (user: Session) => {
    localStorage.setItem(storageKey, JSON.stringify(user))
    set((before) => ({ ...become(before, legible(user)), leftId: null }))
  }
  const forget = () => {
    localStorage.removeItem(storageKey)
    set({ user: null, suspended: false })
  }
  return {
    user: readStoredUser(),
    socketStatus: 'off',
    suspended: false,
    leftId: null,
    signIn: (response) => {
      if (!hasToken(response)) return false
      store(response)
      return true
    },
    amend: (id, changes) => {
      const { user } = get()
      if (user?.id === id) store({ ...user, ...changes })
    },
    signOut: async () => {
      const { id = null, token } = get().user ?? {}
      set({ leftId: id })
      forget()
      if (token) await endOnServer(token)
    },
    forget,
    setSocketStatus: (socketStatus) => set({ socketStatus }),
    setSuspended: (suspended) => set({ suspended }),
  }
})

// Best effort: the user is already signed out here, whatever the server says.
async function endOnServer(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  await fetch('/api/user/signOut', { method: 'POST', headers, keepalive: true }).catch(() => undefined)
}

/** Runs `forget` whenever somebody else is signed in, or nobody: for what one person leaves outside the query cache. */
export function whenPersonChanges(forget: () => void): void {
  useSession.subscribe((now, before) => {
    if (now.user?.id !== before.user?.id) forget()
  })
}

/** Follows what other tabs do to the stored user. Returns how to stop. */
export function followOtherTabs(): () => void {
  const follow = (event: StorageEvent) => {
    if (event.key !== storageKey && event.key !== null) return
    useSession.setState((before) => become(before, readStoredUser()))
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}
