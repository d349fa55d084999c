import type { ProfileChanges } from '@duet/contract/profiles.ts'
import { days } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Tx } from '../../platform/platform.ts'
import type { FitRow } from './profiles.queries.ts'

/**
 * Whether two people fit depends on these fields and shows immediately. By changing them repeatedly, someone could find
 * out whom others look for and what they exclude. So each field can be changed only a few times: enough to fill in and
 * correct a profile, too few to probe others.
 */
const genders = { name: 'gender_changes', points: 3, seconds: days(7) / 1000 }
const facts = { name: 'fact_changes', points: 4, seconds: days(1) / 1000 }

const limitOf = {
  gender: genders,
  intents: facts,
  heightCm: facts,
  children: facts,
  smoking: facts,
  drinking: facts,
  diet: facts,
  languages: facts,
} as const
type Field = keyof typeof limitOf

const textOf = (value: FitRow[Field] | undefined) =>
  JSON.stringify(Array.isArray(value) ? [...value].sort() : (value ?? null))
const nothing = new Set(['null', '[]'])

/**
 * Counts each new value; clearing a field is free. Throws `rate_limited`, naming the field. The transaction then undoes
 * the counts of the other fields.
 */
export async function countChanges(
  { limits }: Pick<Tx, 'limits'>,
  viewerId: string,
  before: FitRow,
  changes: ProfileChanges,
): Promise<void> {
  for (const field of Object.keys(limitOf) as Field[]) {
    const said = textOf(changes[field])
    if (changes[field] === undefined || nothing.has(said) || said === textOf(before[field])) continue
    await limits.spend(limitOf[field], `${viewerId} ${field}`).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      const errors = [{ path: field, message: 'was changed several times and can be changed again later' }]
      throw new AppError(error.code, error.message, {
        errors,
        ...(error.retryAfter && { retryAfter: error.retryAfter }),
      })
    })
  }
}
