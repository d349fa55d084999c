import { createECDH, createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer, globalAgent } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { PushMessage } from '@duet/contract/push.ts'
import ece from 'http_ece'
import selfsigned from 'selfsigned'

/** A push as the service received it and the browser decrypted it. */
export interface Received {
  message: PushMessage
  headers: IncomingHttpHeaders
  bytes: number
  /** The sender's token, verified with its key (RFC 8292). */
  token: { aud: string; exp: number; sub: string }
  key: string
}

export interface Browser {
  /** The body of `PUT /api/push/subscription` without the time zone. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  received: Received[]
  /** The status of the service's next responses; initially 201. */
  status: number
}

export interface PushService {
  newBrowser(): Browser
  requests(): number
  certificate: string
  /** Redirects the next request to another address. */
  redirect(to: string): void
  close(): Promise<void>
}

const base64url = (text: string) => Buffer.from(text, 'base64url')

/** Throws when a token wasn't signed with the key that came with it. */
function readToken(header = ''): Pick<Received, 'token' | 'key'> {
  const { t = '', k = '' } = Object.fromEntries(
    header
      .replace(/^vapid /, '')
      .split(',')
      .map((part) => part.trim().split('=') as [string, string]),
  )
  const [head = '', body = '', signature = ''] = t.split('.')
  const point = base64url(k)
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as never, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: 'ieee-p1363' },
    base64url(signature),
  )
  if (!isSigned) throw new Error('a token that another key signed')
  return { token: JSON.parse(base64url(body).toString()), key: k }
}

/** A push service (RFC 8030) at https://localhost, whose certificate this process trusts, with browsers that use it. */
export async function startPushService(): Promise<PushService> {
  const { private: key, cert } = await selfsigned.generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  const browsers = new Map<string, Browser & { read(body: Buffer): PushMessage }>()
  let requests = 0
  let redirected: string | undefined
  const server = createServer({ key, cert }, async (request, answer) => {
    requests += 1
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const browser = browsers.get(request.url ?? '')
    if (redirected !== undefined) {
      answer.writeHead(307, { location: redirected }).end()
      redirected = undefined
      return
    }
    if (browser?.status === 201) {
      const { headers } = request
      const message = browser.read(body)
      browser.received.push({ message, headers, bytes: body.length, ...readToken(headers.authorization) })
    }
    answer.writeHead(browser?.status ?? 404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  globalAgent.options.ca = [cert]
  return {
    newBrowser() {
      const ecdh = createECDH('prime256v1')
      const p256dh = ecdh.generateKeys('base64url')
      const auth = randomBytes(16)
      const path = `/push/${randomUUID()}`
      const browser = {
        subscription: {
          endpoint: `https://localhost:${port}${path}`,
          keys: { p256dh, auth: auth.toString('base64url') },
        },
        received: [],
        status: 201,
        read: (body: Buffer) =>
          JSON.parse(
            ece
              .decrypt(body, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth.toString('base64url') })
              .toString(),
          ),
      }
      browsers.set(path, browser)
      return browser
    },
    certificate: cert,
    requests: () => requests,
    redirect: (to) => {
      redirected = to
    },
    close: () =>
      new Promise((resolve) => {
        globalAgent.destroy()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
