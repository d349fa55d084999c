import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { NewPasskey, PasskeyProof } from '@duet/contract/passkeys.ts'
import { isoCBOR } from '@simplewebauthn/server/helpers'

interface Deviation {
  origin?: string
  rpId?: string
  type?: string
  isVerified?: boolean
  counter?: number
  userHandle?: string
  signedBy?: KeyObject
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const flagsOf = ({ isVerified = true, hasKey = false }) => 0x01 | (isVerified ? 0x04 : 0) | (hasKey ? 0x40 : 0)

/** A simulated device with one passkey (https://www.w3.org/TR/webauthn-3) for pages of `origin`. */
export function createAuthenticator(origin: string) {
  const id = randomBytes(32)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let [counter, handle] = [0, 'AAAA']

  const clientData = (type: string, challenge: string, { origin: from = origin, ...other }: Deviation) =>
    Buffer.from(JSON.stringify({ type: other.type ?? type, challenge, origin: from, crossOrigin: false }))
  const head = (rpId: string, flags: number, count: number) => {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(count)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counted])
  }
  const coseKey = () => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    return isoCBOR.encode(
      new Map<number, number | Uint8Array<ArrayBuffer>>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as [number, number][]),
        ...([
          [-2, bytes(x)],
          [-3, bytes(y)],
        ] as [number, Uint8Array<ArrayBuffer>][]),
      ]),
    )
  }
  const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' } as const

  return {
    id: named.id,
    create(
      { challenge, rp, user }: { challenge: string; rp: { id: string }; user: { id: string } },
      deviation: Deviation = {},
    ): NewPasskey {
      handle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const flags = flagsOf({ ...deviation, hasKey: true })
      const authData = Buffer.concat([
        head(deviation.rpId ?? rp.id, flags, counter),
        Buffer.alloc(16),
        ...[length, id, coseKey()],
      ])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return {
        ...named,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, deviation).toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get({ challenge, rpId }: { challenge: string; rpId: string }, deviation: Deviation = {}): PasskeyProof {
      counter = deviation.counter ?? counter + 1
      const data = clientData('webauthn.get', challenge, deviation)
      const authData = head(deviation.rpId ?? rpId, flagsOf(deviation), counter)
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), deviation.signedBy ?? privateKey)
      return {
        ...named,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: deviation.userHandle ?? handle,
        },
      }
    },
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>
