import type { Platform } from '../../platform/platform.ts'
import { open, seal } from '../../platform/security/sealed.ts'
import { everyKey, keyMark } from '../../platform/security/secrets.ts'
import { findKeyMark, findSealed, putKeyMark, replaceSealed } from './second-factor.queries.ts'

export const secondFactorPurpose = 'second-factor'

type Keyed = Pick<Platform, 'db' | 'secrets'>

const lostLine = (lost: number) =>
  `SECRET_KEY is not the one that second factors were sealed with (${lost} of them): set SECRET_KEY_PREVIOUS to that one, or let each administrator set up a new one (admin -- reset-second-factor EMAIL)`
const changedLine =
  'SECRET_KEY is another one than before, and SECRET_KEY_PREVIOUS is not that one: links in old emails and to shared dates no longer work, and selfies that wait for review cannot be opened'

interface Standing {
  /** How many second factors none of our keys can open. */
  lost: number
  outdated: { userId: string; sealed: Buffer; secret: Buffer }[]
  /** Whether the database was last used with a key that we don't have. */
  isAnother: boolean
}

async function standingOf({ db, secrets }: Keyed): Promise<Standing> {
  const outdated: Standing['outdated'] = []
  let lost = 0
  for (const { user_id: userId, secret: sealed } of await findSealed(db)) {
    const secret = open(secrets, secondFactorPurpose, userId, sealed)
    if (!secret) lost += 1
    else if (!open({ hmac: secrets.hmac }, secondFactorPurpose, userId, sealed))
      outdated.push({ userId, sealed, secret })
  }
  const mark = await findKeyMark(db)
  return { lost, outdated, isAnother: mark !== undefined && !everyKey(secrets).map(keyMark).includes(mark) }
}

/** A problem with our SECRET_KEY that an operator should know about; undefined if there is none. Changes nothing. */
export async function findKeyFault(keyed: Keyed): Promise<string | undefined> {
  const { lost, isAnother } = await standingOf(keyed)
  if (lost > 0) return lostLine(lost)
  return isAnother ? changedLine : undefined
}

/**
 * Reseals with our key what an earlier key has sealed. Stores our key's mark once no other key is needed. Returns a
 * problem that an operator should know about; undefined if there is none.
 */
export async function adoptKey({ db, secrets, clock }: Keyed & Pick<Platform, 'clock'>): Promise<string | undefined> {
  const { lost, outdated, isAnother } = await standingOf({ db, secrets })
  for (const { userId, sealed, secret } of outdated)
    await replaceSealed(db, userId, sealed, seal(secrets, secondFactorPurpose, userId, secret))
  if (lost > 0) return lostLine(lost)
  await putKeyMark(db, keyMark(secrets), clock.now())
  return isAnother ? changedLine : undefined
}
