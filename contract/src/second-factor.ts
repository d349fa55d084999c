import { z } from 'zod'
import { latinDigits } from './digits.ts'
import { endpoint } from './endpoint.ts'
import { Timestamp } from './ids.ts'
import { PasskeyProof } from './passkeys.ts'
import { rateLimits } from './rate-limits.ts'

/** The authenticator's six-digit code. Digits of any script are accepted. */
const OneTimeCode = z
  .string()
  .max(60, { abort: true })
  .overwrite(latinDigits)
  .regex(/^\d{6}$/, 'a code has 6 digits')
/** Sixteen letters and digits in four groups. Each code works once. */
const RecoveryCode = z
  .string()
  .max(60, { abort: true })
  .overwrite(latinDigits)
  .regex(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/, 'a recovery code has four groups of four')

export const SecondFactor = z.object({
  enrolled: z.boolean(),
  /** Whether this person needs it for all administrator actions. */
  required: z.boolean(),
  /** Until when this session needs no code; null if it needs one now. */
  verifiedUntil: Timestamp.nullable(),
  recoveryCodesLeft: z.int(),
  /** Whether a passkey of mine counts as a second factor: it must have been created in a session that had passed it. */
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
  /** `secret` is Base32, for typing in; `uri` is for a QR code. */
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
  /** `conflict`: the code can't be checked because the server's key has changed. */
  errors: ['invalid_credentials', 'not_found', 'conflict', 'rate_limited'],
})

export const secondFactorEndpoints = [
  getSecondFactor,
  enrolSecondFactor,
  confirmSecondFactor,
  verifySecondFactor,
] as const
