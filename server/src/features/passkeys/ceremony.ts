import { createHash, randomBytes } from 'node:crypto'
import type { NewPasskey, PasskeyProof } from '@duet/contract/passkeys.ts'
import { after, hours } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { everyKey, sameBytes } from '../../platform/security/secrets.ts'

/*
 * What browsers and servers say to each other about passkeys. A challenge is sixteen random bytes and its end, with our
 * keyed hash: nothing is kept of those that are never answered, and the ones that are count once.
 */

type WithChallenges = Pick<Platform, 'secrets' | 'clock'>

const lifeMs = hours(1)
const nonceBytes = 16
const endBytes = 6
const hashBytes = 32

/** A challenge that lives an hour, for one use: `bound` names the session it is for, where there is one. */
export function newChallenge({ secrets, clock }: WithChallenges, bound = ''): string {
  const end = Buffer.alloc(endBytes)
  end.writeUIntBE(after(clock.now(), lifeMs).getTime(), 0, endBytes)
  const text = Buffer.concat([randomBytes(nonceBytes), end])
  return Buffer.concat([text, secrets.hmac('passkey', text.toString('hex'), bound)]).toString('base64url')
}

/** What is kept of a challenge once it is answered: its SHA-256, until its end. */
export interface Answered {
  hash: Buffer
  expiresAt: Date
}

/** A challenge of ours, `bound` to the same, that has not ended. */
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

/** Whose passkeys these are: the address people open Duet at. Browsers bind each passkey to its host. */
export function relyingParty({ publicUrl, port }: Pick<Platform['config'], 'publicUrl' | 'port'>): {
  id: string
  origin: string
} {
  const { hostname, origin } = new URL(publicUrl ?? `http://localhost:${port}`)
  return { id: hostname, origin }
}

/** Loaded with the first passkey that someone uses: it reads every format there is, and takes 20 MB. */
const library = () => import('@simplewebauthn/server')

// What has come from outside may be anything: libraries throw.
const orNothing = <T>(answer: Promise<T>): Promise<T | undefined> => answer.catch(() => undefined)

/** Looks whether a browser has made a passkey as it was asked to, for this session. Undefined when not. */
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
 * Looks whether a passkey that is known has signed this proof, after its owner has shown the device who they are. Undefined
 * when not, also where its counter says that there is a copy of it.
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
