import { createHash, randomBytes } from 'node:crypto'
import type { NewPasskey, PasskeyProof } from '@duet/contract/passkeys.ts'
import { after, hours } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { everyKey, sameBytes } from '../../platform/security/secrets.ts'

/*
 * The exchange about passkeys between browsers and the server. A challenge is sixteen random bytes and its expiry,
 * signed with our HMAC, so that unanswered challenges need no storage. Answered ones are stored until they expire, so
 * that each works only once.
 */

type WithChallenges = Pick<Platform, 'secrets' | 'clock'>

const lifeMs = hours(1)
const nonceBytes = 16
const endBytes = 6
const hashBytes = 32

/** A single-use challenge that is valid for an hour. `bound` is the id of the session it is for, if any. */
export function newChallenge({ secrets, clock }: WithChallenges, bound = ''): string {
  const end = Buffer.alloc(endBytes)
  end.writeUIntBE(after(clock.now(), lifeMs).getTime(), 0, endBytes)
  const text = Buffer.concat([randomBytes(nonceBytes), end])
  return Buffer.concat([text, secrets.hmac('passkey', text.toString('hex'), bound)]).toString('base64url')
}

/** What is stored of an answered challenge until it expires. `hash` is its SHA-256. */
export interface Answered {
  hash: Buffer
  expiresAt: Date
}

/** Reads a challenge. Undefined unless we issued it with the same `bound` and it hasn't expired. */
function readChallenge({ secrets, clock }: WithChallenges, challenge: string, bound = ''): Answered | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== nonceBytes + endBytes + hashBytes) return undefined
  const text = bytes.subarray(0, nonceBytes + endBytes)
  const seal = bytes.subarray(nonceBytes + endBytes)
  const isOurs = everyKey(secrets).some((one) => sameBytes(seal, one.hmac('passkey', text.toString('hex'), bound)))
  const expiresAt = new Date(text.readUIntBE(nonceBytes, endBytes))
  if (!isOurs || expiresAt <= clock.now()) return undefined
  return { hash: createHash('sha256').update(bytes).digest(), expiresAt }
}

/** The address at which people open Duet. Browsers bind each passkey to its host. */
export function relyingParty({ publicUrl, port }: Pick<Platform['config'], 'publicUrl' | 'port'>): {
  id: string
  origin: string
} {
  const { hostname, origin } = new URL(publicUrl ?? `http://localhost:${port}`)
  return { id: hostname, origin }
}

/** Loaded on first use, because it parses all attestation formats and takes 20 MB. */
const library = () => import('@simplewebauthn/server')

// The library throws for malformed input from clients.
const orNothing = <T>(answer: Promise<T>): Promise<T | undefined> => answer.catch(() => undefined)

export async function readNewPasskey(platform: Platform, passkey: NewPasskey, sessionId: string) {
  const { id, origin } = relyingParty(platform.config)
  const { verifyRegistrationResponse } = await library()
  let answered: Answered | undefined
  const result = await orNothing(
    verifyRegistrationResponse({
      response: { ...passkey, clientExtensionResults: {} } as never,
      expectedChallenge: (challenge) => {
        answered = readChallenge(platform, challenge, sessionId)
        return answered !== undefined
      },
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    }),
  )
  if (!result?.verified || !answered) return undefined
  const { credential, credentialBackedUp, aaguid } = result.registrationInfo
  return { answered, aaguid, isSynced: credentialBackedUp, ...credential }
}

interface Known {
  id: string
  publicKey: Buffer
  counter: number
}

/**
 * Verifies that a known passkey signed this proof after its device had verified the user. Undefined if it didn't, or if
 * its counter suggests that the passkey was copied.
 */
export async function readProof(platform: Platform, proof: PasskeyProof, known: Known) {
  const { id, origin } = relyingParty(platform.config)
  const { verifyAuthenticationResponse } = await library()
  let answered: Answered | undefined
  const { userHandle, ...response } = proof.response
  const result = await orNothing(
    verifyAuthenticationResponse({
      response: { ...proof, response, clientExtensionResults: {} },
      expectedChallenge: (challenge) => {
        answered = readChallenge(platform, challenge)
        return answered !== undefined
      },
      expectedOrigin: origin,
      expectedRPID: id,
      credential: { id: known.id, publicKey: new Uint8Array(known.publicKey), counter: known.counter },
      requireUserVerification: true,
    }),
  )
  if (!result?.verified || !answered) return undefined
  const { newCounter, credentialBackedUp } = result.authenticationInfo
  return { answered, counter: newCounter, isSynced: credentialBackedUp }
}
