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
  /** How many pages of Duet the back button goes back through. */
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

/** Callbacks for the history entries of overlays. `overlay-entries.ts`, loaded with the first overlay, sets them. */
export const overlayEntries = {
  /** A `history.go` is in flight. It counts from the entry that is current when it runs, so nothing may be pushed. */
  leaving: false,
  onBack: () => {},
  onMove: () => {},
}

/** Returns whether a `history.go` is in flight. If so, `act` runs once it has finished. */
export function waitsForBack(act: () => void): boolean {
  if (overlayEntries.leaving) window.addEventListener('popstate', act, { once: true })
  return overlayEntries.leaving
}

/** Goes back by this many history entries. The person didn't press back, so no overlay closes. */
export function takeBack(entries: number): void {
  overlayEntries.leaving = true
  window.addEventListener('popstate', () => (overlayEntries.leaving = false), { once: true })
  window.history.go(-entries)
}

export const isHere = (to: string) => new URL(to, window.location.href).href === window.location.href

/** Goes to an address within Duet. Reuses the history entry of the current address, or that of an open overlay. */
export function navigate(to: string, { replace, state }: Options = {}): void {
  const { pathname, search } = window.location
  const { overlays, from, depth = 0 } = window.history.state ?? {}
  const inPlace = replace ?? isHere(to)
  // Replace the page's own entry: if an overlay's were replaced, going back would lead to the page under it.
  if (inPlace && overlays && !overlayEntries.leaving) takeBack(overlays)
  if (waitsForBack(() => navigate(to, { replace, state }))) return
  const entry = inPlace ? { state, depth, from } : { state, depth: depth + 1, from: pathname + search }
  window.history[inPlace || overlays ? 'replaceState' : 'pushState'](entry, '', to)
}

const Here = createContext<Address>({ pathname: '/', search: new URLSearchParams(), state: undefined, depth: 0 })

export const useAddress = () => useContext(Here)

const usePathname = (): [string, typeof navigate] => [useAddress().pathname, navigate]

// The router sends events for pushState and replaceState; browsers only send popstate.
const moves = ['popstate', 'pushState', 'replaceState']

/** Follows the window's address. A screen stays until the next one can render. */
export function AddressBar({ children }: { children: ReactNode }) {
  const [address, setAddress] = useState(readAddress)
  const first = useRef(window.location.href)
  useLayoutEffect(() => {
    const follow = () => startTransition(() => setAddress(readAddress()))
    const onBack = () => overlayEntries.onBack()
    window.addEventListener('popstate', onBack)
    for (const move of moves) window.addEventListener(move, follow)
    // A screen may have navigated before there was a listener.
    if (window.location.href !== first.current) follow()
    // No overlay is open after a reload, so go back past the history entries of those that were.
    const { overlays } = window.history.state ?? {}
    if (overlays) window.history.go(-overlays)
    return () => {
      window.removeEventListener('popstate', onBack)
      for (const move of moves) window.removeEventListener(move, follow)
    }
  }, [])
  // Waits until the new screen has rendered: before that, an overlay about to unmount would still get an entry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change of address
  useEffect(() => overlayEntries.onMove(), [address])
  return (
    <Here value={address}>
      <Router hook={usePathname}>{children}</Router>
    </Here>
  )
}

// A link that opens another window is a plain <a>, because the router would open it in this one.
export type LinkProps = Omit<ComponentProps<'a'>, 'href' | 'target'> & { to: string }

export function Link({ to, ...rest }: LinkProps) {
  return <RouterLink {...rest} href={to} />
}
