import { z } from 'zod'

export const errorStatus = {
  validation_failed: 400,
  malformed: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  forbidden: 403,
  /** The account is suspended. GET /api/standing returns the reason and the end date. */
  suspended: 403,
  /** The account is restricted: it temporarily can't use some features. */
  restricted: 403,
  /** Requires a sign-in within the last ten minutes; see POST /api/user/reauthenticate. */
  reauthentication_required: 403,
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
  /** The server is overloaded. Send the same request again after a short delay. */
  retry: 503,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** `path` locates the invalid field, for example `prompts.0.answer`. */
export const FieldError = z.object({ path: z.string(), message: z.string() })
export type FieldError = z.infer<typeof FieldError>

/** RFC 9457 problem details: the body of every error response. */
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

export const Refusal = z.object({
  ok: z.literal(false),
  code: z.string(),
  retryAfterMs: z.int().optional(),
})
export type Refusal = z.infer<typeof Refusal>
