import { useEffect } from 'react'
import { create } from 'zustand'
import { permitted } from './permitted.ts'

interface NewVersion {
  /** Reloads the page with the new version; null if there is none. */
  take: (() => void) | null
  unsent: number
}

export const useNewVersion = create<NewVersion>()(() => ({ take: null, unsent: 0 }))

/** While `isUnsent` is true, the person isn't offered a new version, because the reload would lose their input. */
export function useUnsent(isUnsent: boolean): void {
  useEffect(() => {
    if (!isUnsent) return
    const add = (by: number) => useNewVersion.setState(({ unsent }) => ({ unsent: unsent + by }))
    add(1)
    return () => add(-1)
  }, [isUnsent])
}

export const workersHere = () => permitted(() => navigator.serviceWorker as ServiceWorkerContainer | undefined)

export async function registrationHere(): Promise<ServiceWorkerRegistration | undefined> {
  return permitted(() => workersHere()?.getRegistration())?.catch(() => undefined)
}

/** How often an open page checks for a new version, in ms. */
const every = 60 * 60_000
/** How long to wait for the old worker to finish after someone asked for the new version, in ms. */
const patience = 2_000

interface Policy {
  createScriptURL: (url: string) => string
}
interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy
}

let policy: Policy | undefined

/**
 * Wraps a script URL for browsers that enforce Trusted Types. The policy accepts only the URLs of the service worker
 * and the HEIC decoder, and the server's headers allow no other policy.
 */
export function trustedScript(url: string): string {
  policy ??= (window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('duet-service-worker', {
    createScriptURL: (url) => (/^\/(assets\/heic|service)-worker[-\w]*\.js$/.test(url) ? url : ''),
  })
  return policy?.createScriptURL(url) ?? url
}

/**
 * Registers the service worker, so that the app opens even when the server is unreachable. Sets `useNewVersion` when a
 * new version is ready. Does nothing in browsers without service workers, for example in private windows or without
 * TLS.
 */
export async function startServiceWorker(): Promise<void> {
  const container = workersHere()
  if (!container) return
  const registration = (await container.register(trustedScript('/service-worker.js'), { updateViaCache: 'none' })) as
    | ServiceWorkerRegistration
    | undefined
  // Some browsers that block service workers resolve without a registration instead of rejecting.
  if (!registration) return
  const offer = () => {
    if (!registration.waiting || !registration.active) return
    useNewVersion.setState({ take: () => takeOver(container, registration) })
  }
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer))
  offer()
  lookForUpdates(registration)
}

/** Reloads only the page where the person asked for the new version, because other pages may have unsent input. */
function takeOver(container: ServiceWorkerContainer, { active, waiting }: ServiceWorkerRegistration): void {
  const reload = () => window.location.reload()
  // The waiting worker is gone because another page has already switched to the new version.
  if (!waiting) reload()
  container.addEventListener('controllerchange', reload, { once: true })
  active?.postMessage('give-way')
  waiting?.postMessage('take-over')
  // If the old worker is still busy by then, it serves the new version itself.
  setTimeout(reload, patience)
}

function lookForUpdates(registration: ServiceWorkerRegistration): void {
  let looked = Date.now()
  const look = () => {
    if (document.visibilityState === 'hidden' || Date.now() - looked < every) return
    looked = Date.now()
    void registration.update().catch(() => undefined)
  }
  document.addEventListener('visibilitychange', look)
  // A page may stay visible for weeks without a `visibilitychange` event.
  setInterval(look, every)
}
