import type { Hole } from './hole.ts'
import { accessHoles } from './holes/access.ts'
import { accountsHoles } from './holes/accounts.ts'
import { identitiesHoles } from './holes/identities.ts'
import { moderationHoles } from './holes/moderation.ts'
import { passkeyHoles } from './holes/passkeys.ts'
import { peopleHoles } from './holes/people.ts'
import { photosHoles } from './holes/photos.ts'
import { placesHoles } from './holes/places.ts'
import { pushHoles } from './holes/push.ts'
import { rightsHoles } from './holes/rights.ts'
import { signInHoles } from './holes/sign-in.ts'
import { silenceHoles } from './holes/silence.ts'

export const holes: Hole[] = [
  ...placesHoles,
  ...accessHoles,
  ...signInHoles,
  ...pushHoles,
  ...accountsHoles,
  ...passkeyHoles,
  ...peopleHoles,
  ...photosHoles,
  ...moderationHoles,
  ...rightsHoles,
  ...silenceHoles,
  ...identitiesHoles,
]

/** The vulnerability that HOLE names; undefined if HOLE isn't set. Throws for an unknown name. */
export function chosenHole(): Hole | undefined {
  const name = process.env.HOLE
  if (!name) return undefined
  const hole = holes.find((one) => one.name === name)
  if (!hole) throw new Error(`there is no hole ${name}`)
  return hole
}
