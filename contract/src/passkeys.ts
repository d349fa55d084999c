import { z } from 'zod'
import { Session } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp } from './ids.ts'
import { rateLimits } from './rate-limits.ts'

/*
 * The JSON forms defined in Web Authentication Level 3: https://www.w3.org/TR/webauthn-3. Any extra fields from
 * browsers are ignored.
 */

const base64url = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/)
/** At most 1,023 bytes, encoded in base64url. */
const CredentialId = base64url(1_400)

/** A `RegistrationResponseJSON`. */
export const NewPasskey = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(20_000),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
})
export type NewPasskey = z.infer<typeof NewPasskey>

/** An `AuthenticationResponseJSON`. */
export const PasskeyProof = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
    userHandle: base64url(100).nullish(),
  }),
})
export type PasskeyProof = z.infer<typeof PasskeyProof>

export const Passkey = z.object({
  id: z.string(),
  /** The name of the password manager, such as "Apple Passwords", or of the device on which the passkey was created. */
  name: z.string(),
  synced: z.boolean(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
})
export type Passkey = z.infer<typeof Passkey>

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/user/passkeys',
  summary: 'My passkeys, the newest first.',
  access: 'member',
  standing: 'suspended',
  response: z.object({ passkeys: z.array(Passkey) }),
})

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
})

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys/options',
  summary: 'Begin to add a passkey: what `navigator.credentials.create` is called with.',
  access: 'member',
  limit: rateLimits.passkeyChanges,
  standing: 'suspended',
  fresh: true,
  /** A `PublicKeyCredentialCreationOptionsJSON`. */
  response: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    excludeCredentials: z.array(Descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
    /** In milliseconds. */
    timeout: z.int(),
  }),
  errors: ['conflict', 'rate_limited'],
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys',
  summary: 'Add the passkey that the browser made. A notice is mailed.',
  access: 'member',
  limit: rateLimits.passkeyChanges,
  standing: 'suspended',
  fresh: true,
  status: 201,
  body: z.strictObject({ passkey: NewPasskey }),
  response: Passkey,
  errors: ['invalid_credentials', 'conflict', 'rate_limited'],
})

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/user/passkeys/:id',
  summary: 'Remove a passkey: it signs me in no longer. A notice is mailed.',
  access: 'member',
  limit: rateLimits.passkeyChanges,
  standing: 'suspended',
  fresh: true,
  params: z.object({ id: z.string() }),
  response: Done,
  errors: ['not_found', 'rate_limited'],
})

export const askForPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys/challenge',
  summary:
    'What `navigator.credentials.get` is called with: the same for everyone, but for the challenge. It lives an hour.',
  access: 'public',
  limit: rateLimits.passkeyChallenges,
  /** A `PublicKeyCredentialRequestOptionsJSON`. */
  response: z.object({
    challenge: z.string(),
    rpId: z.string(),
    userVerification: z.literal('required'),
  }),
  errors: ['rate_limited'],
})

export const authenticateByPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys/authenticate',
  summary: 'Sign in with a passkey.',
  access: 'public',
  body: z.strictObject({ passkey: PasskeyProof, staySignedIn: z.boolean().optional() }),
  response: Session,
  errors: ['invalid_credentials', 'rate_limited'],
})

export const reauthenticateByPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys/reauthenticate',
  summary: 'Prove again who I am, with a passkey of mine: for ten minutes this session may do what is sensitive.',
  access: 'member',
  standing: 'suspended',
  body: z.strictObject({ passkey: PasskeyProof }),
  response: z.object({ freshUntil: Timestamp }),
  errors: ['invalid_credentials', 'rate_limited'],
})

export const passkeyEndpoints = [
  listPasskeys,
  beginPasskey,
  addPasskey,
  removePasskey,
  askForPasskey,
  authenticateByPasskey,
  reauthenticateByPasskey,
] as const
