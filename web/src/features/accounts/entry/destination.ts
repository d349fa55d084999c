import { useSession, whenPersonChanges } from '../../../platform/session.ts'
import { tabTexts } from '../../../platform/storage.ts'

const key = 'destination'
/** Screens for signed-in people. Any other stored address is ignored. */
const screens = /^\/(home|chat|likes|profile|questions|dates|report|settings|admin)(?=[/?#]|$)/
const home = '/home'

/** The last person whose session ended on this page. */
let lastId: string | undefined
whenPersonChanges((leftId) => {
  lastId = leftId
})

/** Where a session ended. Kept in memory, because nothing about a signed-out person may stay stored. */
let ended: { address: string; personId: string } | undefined

/**
 * Remembers the current address while a visitor, or a person whose session ended, signs in. After a deliberate
 * sign-out, nothing is remembered.
 */
export function keepDestination(): void {
  const { pathname, search, hash } = window.location
  const address = pathname + search + hash
  if (lastId === undefined) tabTexts.write(key, address)
  else if (!useSession.getState().signedOut) ended = { address, personId: lastId }
}

/** The address to open after signing in. One where a session ended is only for the same person. */
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
