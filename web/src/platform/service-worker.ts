import { useEffect } from 'react'
import { create } from 'zustand'

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

const address = '/service-worker.js'
/** How often a page that stays open looks for a new version, in ms. */
const every = 60 * 60_000
/** How long someone who wants the new version waits for the old worker to end, in ms. */
const patience = 2_000

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL: (url: string) => string }
}

/** The only address that this policy lets through, where browsers ask for one; the server allows no other policy. */
function trustedAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  return (
    trustedTypes?.createPolicy('duet-service-worker', { createScriptURL: () => address }).createScriptURL(address) ??
    address
  )
}

/**
 * Keeps the app on the device, so that it opens without the server, and tells `useNewVersion` of a version that is ready.
 * Nothing comes of it where browsers have no service workers: in private windows, or without TLS.
 */
export async function startServiceWorker(): Promise<void> {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!container) return
  const registration = (await container.register(trustedAddress(), { updateViaCache: 'none' })) as
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
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' || Date.now() - looked < every) return
    looked = Date.now()
    void registration.update().catch(() => undefined)
  })
}
