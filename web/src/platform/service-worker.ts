import { useEffect } from 'react'
import { create } from 'zustand'
import { permitted } from './permitted.ts'

interface NewVersion {
  /** Loads the page anew, with the version that waits; null while none does. */
  take: (() => void) | null
  /** How many things on this page a reload would lose. */
  unsent: number
}

export const useNewVersion = create<NewVersion>()(() => ({ take: null, unsent: 0 }))

/** While it is true, this page holds what a reload would lose: no new version is offered. */
export function useUnsent(isUnsent: boolean): void {
  useEffect(() => {
    if (!isUnsent) return
    const add = (by: number) => useNewVersion.setState(({ unsent }) => ({ unsent: unsent + by }))
    add(1)
    return () => add(-1)
  }, [isUnsent])
}

/** The service worker API; undefined if the browser has none or refuses access to it. */
export const workersHere = () => permitted(() => navigator.serviceWorker as ServiceWorkerContainer | undefined)

export async function registrationHere(): Promise<ServiceWorkerRegistration | undefined> {
  return permitted(() => workersHere()?.getRegistration())?.catch(() => undefined)
}

/** How often a page that stays open looks for a new version, in ms. */
const every = 60 * 60_000
/** How long someone who wants the new version waits for the old worker to end, in ms. */
const patience = 2_000

interface Policy {
  createScriptURL: (url: string) => string
}
interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy
}

let policy: Policy | undefined

/**
 * Wraps the URL of the service worker or the HEIC decoder for browsers that enforce Trusted Types. The server allows no
 * other policy, and this one accepts no other URL.
 */
export function trustedScript(url: string): string {
  policy ??= (window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('duet-service-worker', {
    createScriptURL: (url) => (/^\/(assets\/heic|service)-worker[-\w]*\.js$/.test(url) ? url : ''),
  })
  return policy?.createScriptURL(url) ?? url
}

/**
 * Keeps the app on the device, so that it opens without the server, and tells `useNewVersion` of a version that is ready.
 * Nothing comes of it where browsers have no service workers: in private windows, or without TLS.
 */
export async function startServiceWorker(): Promise<void> {
  const container = workersHere()
  if (!container) return
  const registration = (await container.register(trustedScript('/service-worker.js'), { updateViaCache: 'none' })) as
    | ServiceWorkerRegistration
    | undefined
  // Where workers are forbidden, some browsers refuse without a word.
  if (!registration) return
  const offer = () => {
    if (!registration.waiting || !registration.active) return
    useNewVersion.setState({ take: () => takeOver(container, registration) })
  }
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer))
  offer()
  lookForUpdates(registration)
}

/** Only the page where it was pressed loads anew: others may hold what someone is writing. */
function takeOver(container: ServiceWorkerContainer, { active, waiting }: ServiceWorkerRegistration): void {
  const reload = () => window.location.reload()
  // Another page was faster, and the new version answers already.
  if (!waiting) reload()
  container.addEventListener('controllerchange', reload, { once: true })
  active?.postMessage('give-way')
  waiting?.postMessage('take-over')
  // Where the old worker is still at work, the new version comes through it.
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
  // A page may stay visible for weeks, without any `visibilitychange`.
  setInterval(look, every)
}
