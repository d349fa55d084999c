import { z } from 'zod'
import { Gender, InterestedIn, Name, Session, ZoneQuery } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp } from './ids.ts'
import { rateLimits } from './rate-limits.ts'

/*
 * Sign-in through an external provider (OpenID Connect 1.0), if the operator has configured one. The provider redirects
 * the browser to GET /api/user/oidc/callback. Only providers call that endpoint; it redirects to /login with `#oidc=`
 * and a code for `finishOidc`, or with `#oidc-failed=` and a reason.
 */

export const oidcFailures = ['denied', 'ended', 'unverified', 'unavailable', 'limited', 'failed'] as const

/** Passed to the sign-in page. Works once, and only in the browser that started the sign-in. */
const OidcCode = z.string().regex(/^[\w-]{43}$/, 'this is no such code')

export const startOidc = endpoint({
  method: 'POST',
  path: '/api/user/oidc/start',
  summary:
    "Begin to sign in with the operator's provider: the address to go to. Sets a cookie that the way back needs.",
  access: 'public',
  limit: rateLimits.oidcStarts,
  /** Keeps the session through 90 days without use instead of 7. */
  body: z.strictObject({ staySignedIn: z.boolean() }),
  response: z.object({ url: z.url() }),
  errors: ['not_found', 'unavailable', 'rate_limited'],
})

export const finishOidc = endpoint({
  method: 'POST',
  path: '/api/user/oidc/finish',
  summary:
    'Sign in with what the provider said. Where the address it verified has no account yet, the code is for registering instead.',
  access: 'public',
  limit: rateLimits.oidcFinishes,
  body: z.strictObject({ code: OidcCode }),
  response: z.union([Session, z.object({ needsSignUp: z.literal(true), email: z.string() })]),
  /**
   * `forbidden` for administrators, who can't sign in through a provider. `conflict` if the owner removed this identity
   * or already uses a different one.
   */
  errors: ['invalid_credentials', 'forbidden', 'conflict', 'rate_limited'],
})

export const registerByOidc = endpoint({
  method: 'POST',
  path: '/api/user/oidc/register',
  summary: 'Create an account for the address that the provider verified.',
  access: 'public',
  limit: rateLimits.oidcFinishes,
  status: 201,
  query: ZoneQuery,
  body: z.strictObject({
    code: OidcCode,
    name: Name,
    birthDate: z.iso.date(),
    acceptTerms: z.literal(true),
    gender: Gender.optional(),
    interestedIn: InterestedIn.optional(),
  }),
  response: Session,
  errors: ['invalid_credentials', 'forbidden', 'email_taken', 'rate_limited'],
})

export const Identity = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: Timestamp,
  /** A removed identity can no longer be used to sign in and isn't linked again automatically. */
  removed: z.boolean(),
})

export const listIdentities = endpoint({
  method: 'GET',
  path: '/api/user/identities',
  summary: 'Accounts of other providers that sign me in, or did.',
  access: 'member',
  standing: 'suspended',
  response: z.object({ identities: z.array(Identity) }),
})

export const removeIdentity = endpoint({
  method: 'DELETE',
  path: '/api/user/identities/:id',
  summary:
    'Remove a linked account: it signs me in no longer, and my address alone does not link it again. A notice is mailed.',
  access: 'member',
  limit: rateLimits.identityChanges,
  standing: 'suspended',
  fresh: true,
  params: z.object({ id: z.string() }),
  response: Done,
  errors: ['not_found', 'rate_limited'],
})

export const allowIdentity = endpoint({
  method: 'POST',
  path: '/api/user/identities/:id/allow',
  summary: 'Forget that I removed a linked account: the next sign-in with that provider links it again.',
  access: 'member',
  limit: rateLimits.identityChanges,
  standing: 'suspended',
  fresh: true,
  params: z.object({ id: z.string() }),
  response: Done,
  errors: ['not_found', 'rate_limited'],
})

export const identityEndpoints = [
  startOidc,
  finishOidc,
  registerByOidc,
  listIdentities,
  removeIdentity,
  allowIdentity,
] as const
