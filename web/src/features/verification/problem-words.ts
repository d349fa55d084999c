import { problemCode } from '../../platform/problem.ts'

const ofStart = ['rate_limited', 'conflict'] as const
const ofSending = [
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'conflict',
  'rate_limited',
] as const

const keyOf = <K extends string>(keys: readonly K[], error: unknown): K | 'failed' =>
  keys.find((key) => key === problemCode(error)) ?? 'failed'

/** Why no pose was drawn: a key of the texts. */
export const startProblem = (error: unknown) => keyOf(ofStart, error)
/** Why the selfie was not taken: a key of the texts. */
export const sendProblem = (error: unknown) => keyOf(ofSending, error)
