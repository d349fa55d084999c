import { z } from 'zod'
import { latinDigits } from './digits.ts'
import { endpoint } from './endpoint.ts'
import { Timestamp } from './ids.ts'
import { PasskeyProof } from './passkeys.ts'
import { rateLimits } from './rate-limits.ts'

/** The six-digit code from the authenticator app. Digits of any script are accepted. */
const OneTimeCode = z
  .string()
  .max(60, { abort: true })
  .overwrite(latinDigits)
  .regex(/^\d{6}$/, 'a code has 6 digits')
/** Sixteen letters and digits in four groups. Each code can be used once. */
const RecoveryCode = z
  .string()
  .max(60, { abort: true })
  .overwrite(latinDigits)
  .regex(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/, 'a recovery code has four groups of four')

export const SecondFactor = z.object({
  enrolled: z.boolean(),
  required: z.boolean(),
  /** When this session will need a code again; null if it needs one now. */
  verifiedUntil: Timestamp.nullable(),
  recoveryCodesLeft: z.int(),
  /**
   * Whether one of my passkeys counts as a second factor. It must have been created in a session that had passed the
   * second factor.
   */
  hasPasskey: z.boolean(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/api/admin/second-factor',
  summary: 'Whether my second factor is set up, and whether this session has passed it.',
  access: 'admin',
  beforeSecondFactor: true,
  response: SecondFactor,
})

export const enrolSecondFactor = endpoint({
  method: 'POST',
  path: '/api/admin/second-factor',
  summary: 'Begin to set up my second factor (TOTP): its secret, until confirmed. Once confirmed it stays: 409.',
  access: 'admin',
  limit: rateLimits.secondFactorEnrolments,
  beforeSecondFactor: true,
  fresh: true,
  /** `secret` is in Base32, for typing by hand; `uri` is for a QR code. */
  response: z.object({ secret: z.string(), uri: z.string() }),
  errors: ['conflict', 'rate_limited'],
})

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: '/api/admin/second-factor/confirm',
  summary: 'Finish with a first code: ten recovery codes, shown this once. The session counts as verified.',
  access: 'admin',
  limit: rateLimits.secondFactor,
  beforeSecondFactor: true,
  fresh: true,
  body: z.strictObject({ code: OneTimeCode }),
  response: z.object({ recoveryCodes: z.array(z.string()), verifiedUntil: Timestamp }),
  errors: ['invalid_credentials', 'not_found', 'conflict', 'rate_limited'],
})

export const verifySecondFactor = endpoint({
  method: 'POST',
  path: '/api/admin/second-factor/verify',
  summary:
    'Pass the second factor with a code of the authenticator, a recovery code or a passkey: good for this session, 12 hours.',
  access: 'admin',
  limit: rateLimits.secondFactor,
  beforeSecondFactor: true,
  body: z.union([
    z.strictObject({ code: z.union([OneTimeCode, RecoveryCode]) }),
    z.strictObject({ passkey: PasskeyProof }),
  ]),
  response: z.object({ verifiedUntil: Timestamp }),
  /** `conflict` if the code can't be checked because the server's key was changed. */
  errors: ['invalid_credentials', 'not_found', 'conflict', 'rate_limited'],
})

export const secondFactorEndpoints = [
  getSecondFactor,
  enrolSecondFactor,
  confirmSecondFactor,
  verifySecondFactor,
] as const
