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

export const startProblem = (error: unknown) => keyOf(ofStart, error)
export const sendProblem = (error: unknown) => keyOf(ofSending, error)
