import { type AppError, forbidden, notFound, restricted } from '../../platform/errors.ts'

/** Why one may not write to the other, as the database says it (`refusals_to_write`). */
export type Refusal = 'not_found' | 'forbidden' | 'restricted'

const errors = { not_found: notFound, forbidden, restricted } satisfies Record<Refusal, () => AppError>

/** The answer to whoever may not write. */
export function refused(refusal: Refusal): AppError {
  return errors[refusal]()
}
