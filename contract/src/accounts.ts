import { z } from 'zod'
import { latinDigits } from './digits.ts'
import { asEmail, emailFaultOf } from './email-address.ts'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp, UserId } from './ids.ts'
import { appLanguages, genders, limits } from './limits.ts'
import { line } from './prose.ts'
import { rateLimits } from './rate-limits.ts'

/** Normalised to the form in which addresses are stored and compared. `email-address.ts` defines which are valid. */
export const Email = z
  .string()
  .max(limits.emailLength * 2, { abort: true })
  .overwrite(asEmail)
  .max(limits.emailLength)
  .refine((email) => emailFaultOf(email) === undefined, 'must be an email address')
  .meta({ format: 'idn-email' })
/** The 8-digit code from the email. Digits of any script are accepted. */
export const Code = z
  .string()
  .max(60, { abort: true })
  .trim()
  .overwrite(latinDigits)
  .regex(/^\d{8}$/, 'a code has 8 digits')
export const Password = z.string().min(limits.passwordMin).max(limits.passwordMax)
/** A password to check. It may be shorter than the minimum for new passwords. */
const AnyPassword = z.string().min(1).max(limits.passwordMax)
/** Case, spaces and dashes are ignored. */
const RecoveryCode = z
  .string()
  .max(60)
  .transform((code) => latinDigits(code).toUpperCase().replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^[A-Z2-7]{16}$/, 'a recovery code has 16 letters and digits'))
/** Keeps the session through 90 days without use instead of 7. */
const StaySignedIn = z.boolean().optional()
export const Name = line(limits.nameLength)
export const Gender = z.enum(genders)
export type Gender = z.infer<typeof Gender>
export const InterestedIn = z
  .array(Gender)
  .max(genders.length)
  .transform((list) => [...new Set(list)])

/**
 * The IANA time zone that determines today's date for the age check; UTC if missing. It's in the query string because,
 * during a rolling update, older nodes reject unknown body fields.
 */
export const ZoneQuery = z.object({ timeZone: z.string().max(64).optional() })

export const AppLanguage = z.enum(appLanguages)
export type AppLanguage = z.infer<typeof AppLanguage>

/** The response to a sign-in. The browser stores it in local storage under `user`. */
export const Session = z.object({
  id: UserId,
  name: z.string(),
  email: z.string(),
  images: z.array(z.string()),
  token: z.string(),
  isSuperAdmin: z.boolean(),
  onboardingComplete: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const requestOtp = endpoint({
  method: 'POST',
  path: '/api/user/requestOtp',
  summary: 'Mail a one-time code. The answer is the same whether or not the account exists.',
  access: 'public',
  limit: rateLimits.codeNetwork,
  status: 202,
  body: z.strictObject({ email: Email }),
  /** Both in seconds. */
  response: z.object({ expiresIn: z.int(), resendIn: z.int() }),
  errors: ['rate_limited'],
})

export const verifyOtp = endpoint({
  method: 'POST',
  path: '/api/user/verifyOtp',
  summary:
    'Check a mailed code without using it up: it still works for registering or signing in. A wrong one takes one of its five tries.',
  access: 'public',
  limit: rateLimits.codeChecks,
  body: z.strictObject({ email: Email, otp: Code }),
  /** Whether the address has an account. Only revealed to people who can read its mailbox. */
  response: z.object({ hasAccount: z.boolean() }),
  errors: ['invalid_credentials', 'rate_limited'],
})

export const register = endpoint({
  method: 'POST',
  path: '/api/user/register',
  summary: 'Create an account for an address that a code was mailed to.',
  access: 'public',
  status: 201,
  query: ZoneQuery,
  body: z.strictObject({
    email: Email,
    otp: Code,
    name: Name,
    birthDate: z.iso.date(),
    acceptTerms: z.literal(true),
    password: Password.optional(),
    gender: Gender.optional(),
    interestedIn: InterestedIn.optional(),
  }),
  response: Session,
  errors: ['invalid_credentials', 'email_taken', 'rate_limited'],
})

export const authenticate = endpoint({
  method: 'POST',
  path: '/api/user/authenticate',
  summary: 'Sign in with a mailed code, a password or a recovery code.',
  access: 'public',
  body: z.union([
    z.strictObject({ email: Email, otp: Code, staySignedIn: StaySignedIn }),
    z.strictObject({ email: Email, password: AnyPassword, staySignedIn: StaySignedIn }),
    z.strictObject({ email: Email, recoveryCode: RecoveryCode, staySignedIn: StaySignedIn }),
  ]),
  response: Session,
  errors: ['invalid_credentials', 'rate_limited'],
})

export const signOut = endpoint({
  method: 'POST',
  path: '/api/user/signOut',
  summary: 'End the session this call was made with.',
  access: 'member',
  standing: 'suspended',
  response: Done,
})

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/api/user/signOutEverywhere',
  summary: 'End all my sessions, this one too. Their live connections close within two seconds.',
  access: 'member',
  standing: 'suspended',
  response: Done,
})

export const putLanguage = endpoint({
  method: 'PUT',
  path: '/api/user/language',
  summary:
    'The language I read Duet in: mails come in it. Signing up and in sets it too, to what Accept-Language asks for.',
  access: 'member',
  limit: rateLimits.languages,
  standing: 'suspended',
  body: z.strictObject({ language: AppLanguage }),
  response: Done,
  errors: ['rate_limited'],
})

export const SessionView = z.object({
  id: z.string(),
  device: z.string(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  current: z.boolean(),
})
export type SessionView = z.infer<typeof SessionView>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/user/sessions',
  summary: 'Where I am signed in.',
  access: 'member',
  standing: 'suspended',
  response: z.object({ sessions: z.array(SessionView) }),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions/:id',
  summary: 'Sign one of my devices out. Its live connections close within two seconds.',
  access: 'member',
  standing: 'suspended',
  params: z.object({ id: z.string() }),
  response: Done,
  errors: ['not_found'],
})

export const reauthenticate = endpoint({
  method: 'POST',
  path: '/api/user/reauthenticate',
  summary: 'Prove again who I am: for ten minutes this session may do what is sensitive.',
  access: 'member',
  standing: 'suspended',
  body: z.union([z.strictObject({ otp: Code }), z.strictObject({ password: AnyPassword })]),
  response: z.object({ freshUntil: Timestamp }),
  errors: ['invalid_credentials', 'rate_limited'],
})

export const AccessView = z.object({
  email: z.string(),
  hasPassword: z.boolean(),
  recoveryCodesLeft: z.int(),
})
export type AccessView = z.infer<typeof AccessView>

export const getAccess = endpoint({
  method: 'GET',
  path: '/api/user/access',
  summary: 'The ways into my account.',
  access: 'member',
  standing: 'suspended',
  response: AccessView,
})

export const putPassword = endpoint({
  method: 'PUT',
  path: '/api/user/password',
  summary: 'Set or change my password. Ends all my other sessions; a notice is mailed.',
  access: 'member',
  limit: rateLimits.passwordChanges,
  standing: 'suspended',
  fresh: true,
  body: z.strictObject({ password: Password }),
  response: Done,
  errors: ['rate_limited'],
})

export const removePassword = endpoint({
  method: 'DELETE',
  path: '/api/user/password',
  summary: 'Remove my password: I sign in by code. Ends all my other sessions; a notice is mailed.',
  access: 'member',
  limit: rateLimits.passwordChanges,
  standing: 'suspended',
  fresh: true,
  response: Done,
  errors: ['rate_limited'],
})

export const makeRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/user/recoveryCodes',
  summary: 'Ten new codes that sign me in once each when my mailbox is lost. Earlier ones stop working.',
  access: 'member',
  limit: rateLimits.passwordChanges,
  standing: 'suspended',
  fresh: true,
  /** Can't be retrieved again later. */
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['rate_limited'],
})

export const requestAddressChange = endpoint({
  method: 'POST',
  path: '/api/user/addressChange',
  summary: 'Mail a code to an address I want to move to. The answer is the same whether or not it has an account.',
  access: 'member',
  limit: rateLimits.addressChanges,
  fresh: true,
  status: 202,
  body: z.strictObject({ email: Email }),
  /** Both in seconds. */
  response: z.object({ expiresIn: z.int(), resendIn: z.int() }),
  errors: ['rate_limited'],
})

export const confirmAddressChange = endpoint({
  method: 'POST',
  path: '/api/user/addressChange/confirm',
  summary: 'Move my account to the address that the code was mailed to. The earlier one can undo it for 72 hours.',
  access: 'member',
  fresh: true,
  body: z.strictObject({ email: Email, otp: Code }),
  response: z.object({ email: z.string() }),
  errors: ['invalid_credentials', 'email_taken', 'rate_limited'],
})

export const undoAddressChange = endpoint({
  method: 'POST',
  path: '/api/user/addressChange/undo',
  summary:
    'Undo a change of address, with the token mailed to the earlier one. Ends all sessions, and removes the password, passkeys, recovery codes and linked accounts.',
  access: 'public',
  limit: rateLimits.addressUndos,
  body: z.strictObject({ token: z.string().max(200) }),
  response: Done,
  errors: ['not_found', 'email_taken', 'rate_limited'],
})

export const accountEndpoints = [
  requestOtp,
  verifyOtp,
  register,
  authenticate,
  reauthenticate,
  signOut,
  signOutEverywhere,
  listSessions,
  endSession,
  putLanguage,
  getAccess,
  putPassword,
  removePassword,
  makeRecoveryCodes,
  requestAddressChange,
  confirmAddressChange,
  undoAddressChange,
] as const
