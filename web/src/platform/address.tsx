import {
  type ComponentProps,
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Router, Link as RouterLink } from 'wouter'

interface Address {
  pathname: string
  search: URLSearchParams
  /** What came along with the address, unseen in it. */
  state: unknown
  /** How many pages of ours the back button leads through. */
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

/** Goes to an address of ours. Where we are already leaves nothing to come back to. */
export function navigate(to: string, { replace, state }: Options = {}): void {
  const { href } = window.location
  const inPlace = replace ?? new URL(to, href).href === href
  const depth = readAddress().depth + (inPlace ? 0 : 1)
  window.history[inPlace ? 'replaceState' : 'pushState']({ state, depth }, '', to)
}

const Here = createContext<Address>({ pathname: '/', search: new URLSearchParams(), state: undefined, depth: 0 })

/** Where the page is. */
export const useAddress = () => useContext(Here)

const usePathname = (): [string, typeof navigate] => [useAddress().pathname, navigate]

// The router announces what its pages push and replace; the browser only what it does itself.
const moves = ['popstate', 'pushState', 'replaceState']

/** Follows the address of the window. A screen stays until the next one can be drawn. */
export function AddressBar({ children }: { children: ReactNode }) {
  const [address, setAddress] = useState(readAddress)
  const first = useRef(window.location.href)
  useLayoutEffect(() => {
    const follow = () => startTransition(() => setAddress(readAddress()))
    for (const move of moves) window.addEventListener(move, follow)
    // A screen may have led elsewhere before there was a listener.
    if (window.location.href !== first.current) follow()
    return () => {
      for (const move of moves) window.removeEventListener(move, follow)
    }
  }, [])
  return (
    <Here value={address}>
      <Router hook={usePathname}>{children}</Router>
    </Here>
  )
}

// A link into another window is a plain <a>: the router would keep it in this one.
export type LinkProps = Omit<ComponentProps<'a'>, 'href' | 'target'> & { to: string }

/** A link to an address of ours. */
export function Link({ to, ...rest }: LinkProps) {
  return <RouterLink {...rest} href={to} />
}
