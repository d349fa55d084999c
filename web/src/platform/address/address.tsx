import {
  type ComponentProps,
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Router, Link as RouterLink } from 'wouter'

interface Address {
  pathname: string
  search: URLSearchParams
  state: unknown
  /** How many times the person can go back without leaving Duet. */
  depth: number
}

interface Options {
  replace?: boolean | undefined
  state?: unknown
}

function readAddress(): Address {
  const { state, depth } = { state: undefined, depth: 0, ...window.history.state }
  const { pathname, search } = window.location
  return { pathname, search: new URLSearchParams(search), state, depth }
}

/**
 * Callbacks for the history entries of overlays. `overlay-entries.ts`, which loads with the first overlay, sets them.
 */
export const overlayEntries = {
  /**
   * True while a `history.go` is pending. It counts from the entry that is current when it runs, so nothing may be
   * pushed until then.
   */
  leaving: false,
  onBack: () => {},
  onMove: () => {},
}

/** Returns whether a `history.go` is pending. If so, `act` runs after it. */
export function waitsForBack(act: () => void): boolean {
  if (overlayEntries.leaving) window.addEventListener('popstate', act, { once: true })
  return overlayEntries.leaving
}

/**
 * Goes back by this many history entries without closing an overlay, because the person didn't press the back button.
 */
export function takeBack(entries: number): void {
  overlayEntries.leaving = true
  window.addEventListener('popstate', () => (overlayEntries.leaving = false), { once: true })
  window.history.go(-entries)
}

export const isHere = (to: string) => new URL(to, window.location.href).href === window.location.href

/** Navigates within Duet. Replaces the current history entry if it has the same URL or belongs to an open overlay. */
export function navigate(to: string, { replace, state }: Options = {}): void {
  const { pathname, search } = window.location
  const { overlays, from, depth = 0 } = window.history.state ?? {}
  const inPlace = replace ?? isHere(to)
  // Replace the page's own entry. If an overlay's entry were replaced, going back would lead to the page under the
  // overlay.
  if (inPlace && overlays && !overlayEntries.leaving) takeBack(overlays)
  if (waitsForBack(() => navigate(to, { replace, state }))) return
  const entry = inPlace ? { state, depth, from } : { state, depth: depth + 1, from: pathname + search }
  window.history[inPlace || overlays ? 'replaceState' : 'pushState'](entry, '', to)
}

const Here = createContext<Address>({ pathname: '/', search: new URLSearchParams(), state: undefined, depth: 0 })

export const useAddress = () => useContext(Here)

const usePathname = (): [string, typeof navigate] => [useAddress().pathname, navigate]

// Browsers only send popstate. The router adds events for pushState and replaceState.
const moves = ['popstate', 'pushState', 'replaceState']

/** Follows the window's URL. The old screen stays until the new one can render. */
export function AddressBar({ children }: { children: ReactNode }) {
  const [address, setAddress] = useState(readAddress)
  const first = useRef(window.location.href)
  useLayoutEffect(() => {
    const follow = () => startTransition(() => setAddress(readAddress()))
    const onBack = () => overlayEntries.onBack()
    window.addEventListener('popstate', onBack)
    for (const move of moves) window.addEventListener(move, follow)
    // A screen may have navigated before this listener was added.
    if (window.location.href !== first.current) follow()
    // After a reload no overlay is open, so go back past the history entries of those that were open before.
    const { overlays } = window.history.state ?? {}
    if (overlays) window.history.go(-overlays)
    return () => {
      window.removeEventListener('popstate', onBack)
      for (const move of moves) window.removeEventListener(move, follow)
    }
  }, [])
  // Runs after the new screen has rendered. Any earlier, an overlay that is about to unmount would still get a history
  // entry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each navigation
  useEffect(() => overlayEntries.onMove(), [address])
  return (
    <Here value={address}>
      <Router hook={usePathname}>{children}</Router>
    </Here>
  )
}

// For links that open another window, use a plain <a>: the router would open them in this window.
export type LinkProps = Omit<ComponentProps<'a'>, 'href' | 'target'> & { to: string }

export function Link({ to, ...rest }: LinkProps) {
  return <RouterLink {...rest} href={to} />
}
