import { useSession, whenPersonChanges } from '../../../platform/session.ts'
import { tabTexts } from '../../../platform/storage.ts'

const key = 'destination'
/** Paths of the screens for signed-in people. A stored address with any other path is ignored. */
const screens = /^\/(home|chat|likes|profile|questions|dates|report|settings|admin)(?=[/?#]|$)/
const home = '/home'

/** The person whose session on this page ended last. */
let lastId: string | undefined
whenPersonChanges((leftId) => {
  lastId = leftId
})

/** The address at which a session ended. It stays in memory, because a signed-out person's data must not be stored. */
let ended: { address: string; personId: string } | undefined

/**
 * Remembers the current address while a visitor signs in, or signs in again after the session ended. A deliberate
 * sign-out remembers nothing.
 */
export function keepDestination(): void {
  const { pathname, search, hash } = window.location
  const address = pathname + search + hash
  if (lastId === undefined) tabTexts.write(key, address)
  else if (!useSession.getState().signedOut) ended = { address, personId: lastId }
}

/**
 * The address to open after signing in. The address of an ended session is used only if the same person signs in again.
 */
export function destination(): string {
  const isTheirs = ended?.personId === useSession.getState().user?.id
  const address = ended ? isTheirs && ended.address : tabTexts.read(key)
  return address && screens.test(address) ? address : home
}

export function takeDestination(): string {
  const to = destination()
  ended = undefined
  tabTexts.remove(key)
  return to
}
