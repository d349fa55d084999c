import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp, UserId } from './ids.ts'
import { appLanguages, genders, limits } from './limits.ts'
import { rateLimits } from './rate-limits.ts'

export const Email = z
  .string()
  .trim()
  .max(limits.emailLength)
  .pipe(z.email())
  .transform((email) => email.toLowerCase())
/** The 8-digit code that is mailed. */
export const Code = z
  .string()
  .trim()
  .regex(/^\d{8}$/, 'a code has 8 digits')
export const Password = z.string().min(limits.passwordMin).max(limits.passwordMax)
export const Name = z
  .string()
  .transform((name) => name.normalize('NFC').replace(/\p{C}/gu, '').replace(/\s+/gu, ' ').trim())
  .pipe(z.string().min(1).max(limits.nameLength))
export const Gender = z.enum(genders)
export type Gender = z.infer<typeof Gender>
export const InterestedIn = z
  .array(Gender)
  .max(genders.length)
  .transform((list) => [...new Set(list)])

/** The language that Duet uses with a person. */
export const AppLanguage = z.enum(appLanguages)
export type AppLanguage = z.infer<typeof AppLanguage>

/** What sign-in answers and the browser keeps under the local storage key `user`. */
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
  /** Seconds. */
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
  /** Whether the address has an account: known only to people who read its mail. */
  response: z.object({ hasAccount: z.boolean() }),
  errors: ['invalid_credentials', 'rate_limited'],
})

export const register = endpoint({
  method: 'POST',
  path: '/api/user/register',
  summary: 'Create an account for an address that a code was mailed to.',
  access: 'public',
  status: 201,
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
  summary: 'Sign in with a mailed code or a password.',
  access: 'public',
  body: z.union([
    z.strictObject({ email: Email, otp: Code }),
    z.strictObject({ email: Email, password: z.string().min(1).max(limits.passwordMax) }),
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
  body: z.union([
    z.strictObject({ otp: Code }),
    z.strictObject({ password: z.string().min(1).max(limits.passwordMax) }),
  ]),
  response: z.object({ freshUntil: Timestamp }),
  errors: ['invalid_credentials', 'rate_limited'],
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
] as const
