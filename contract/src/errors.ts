import { z } from 'zod'

/** Every code a problem answer may carry, with its HTTP status. */
export const errorStatus = {
  validation_failed: 400,
  malformed: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  forbidden: 403,
  /** The account is suspended; GET /api/standing says why and until when. */
  suspended: 403,
  /** The account may begin nothing new for a while. */
  restricted: 403,
  /** Only for those who have signed in within the last ten minutes: POST /api/user/reauthenticate. */
  reauthentication_required: 403,
  /** An administrator has to give the code of their second factor. */
  second_factor_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  email_taken: 409,
  photo_limit_reached: 409,
  daily_limit_reached: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  /** Too busy at this moment: the same again, a little later. */
  retry: 503,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** One wrong field: where it is (`prompts.0.answer`) and what is wrong with it. */
export const FieldError = z.object({ path: z.string(), message: z.string() })
export type FieldError = z.infer<typeof FieldError>

/** RFC 9457 problem details, the body of every answer that is not a success. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  errors: z.array(FieldError).optional(),
  requestId: z.string(),
})
export type Problem = z.infer<typeof Problem>

/** How a socket acknowledgement says no. */
export const Refusal = z.object({
  ok: z.literal(false),
  code: z.string(),
  retryAfterMs: z.int().optional(),
})
export type Refusal = z.infer<typeof Refusal>
