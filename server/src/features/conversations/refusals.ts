import { type AppError, forbidden, notFound, restricted } from '../../platform/errors.ts'

/** Why one may not write to the other, as the database says it (`refusals_to_write`). */
export type ConversationRefusal = 'not_found' | 'forbidden' | 'restricted'

const errors = { not_found: notFound, forbidden, restricted } satisfies Record<ConversationRefusal, () => AppError>

/** The answer to people who may not write. */
export function refused(refusal: ConversationRefusal): AppError {
  return errors[refusal]()
}
