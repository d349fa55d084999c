import { type AppError, forbidden, notFound, restricted } from '../../platform/errors.ts'

/** Why someone may not write to a person, as returned by the database function `refusals_to_write`. */
export type ConversationRefusal = 'not_found' | 'forbidden' | 'restricted'

const errors = { not_found: notFound, forbidden, restricted } satisfies Record<ConversationRefusal, () => AppError>

export function refused(refusal: ConversationRefusal): AppError {
  return errors[refusal]()
}
