import { type IncomingMessage, request } from 'node:http'
import fc from 'fast-check'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { addressOf, rewriteForwardedFor, trustOf } from './client-address.ts'
import { networkOf } from './rate-limit.ts'

it.each([
  [undefined, '203.0.113.7', '127.0.0.1'],
  ['1', '203.0.113.7', '203.0.113.7'],
  ['1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['2', '198.51.100.1, 203.0.113.7', '198.51.100.1'],
  ['loopback', '198.51.100.1, 10.0.0.1', '10.0.0.1'],
  ['loopback, 10.0.0.0/8', '198.51.100.1, 10.0.0.1', '198.51.100.1'],
  ['loopback, uniquelocal', '2001:db8::1, fd00::1', '2001:db8::1'],
  ['192.0.2.1', '203.0.113.7', '127.0.0.1'],
  ['3', '', '127.0.0.1'],
  ['1', '203.0.113.7:4000', '203.0.113.7'],
  ['1', '[2001:DB8::1]:4000', '2001:db8::1'],
  ['1', '::ffff:203.0.113.7', '203.0.113.7'],
  ['loopback, uniquelocal', '203.0.113.7:4000, 10.0.0.1:443', '203.0.113.7'],
  ['1', 'unknown', '127.0.0.1'],
  ['2', '198.51.100.1, unknown, 10.0.0.1', '10.0.0.1'],
  ['loopback', '198.51.100.1, _hidden', '127.0.0.1'],
])('With TRUST_PROXY %s and X-Forwarded-For "%s", requests and connections come from %s', async (...row) => {
  const [trustProxy, forwarded, expected] = row
  const trusts = trustOf(trustProxy)
  const app = Fastify({ trustProxy: trusts })
  rewriteForwardedFor(app.server)
  app.get('/', ({ ip, raw }) => ({ ip, own: addressOf(raw, trusts) }))
  try {
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const text = await new Promise<string>((resolve, reject) => {
      const headers = forwarded ? { 'x-forwarded-for': forwarded } : {}
      const call = request(url, { headers }, (answer) => answer.setEncoding('utf8').once('data', resolve))
      call.once('error', reject).end()
    })
    expect(JSON.parse(text)).toEqual({ ip: expected, own: expected })
  } finally {
    await app.close()
  }
})

const requestWith = (forwarded: string) =>
  ({ socket: { remoteAddress: '127.0.0.1' }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage
const keyOf = (forwarded: string) => networkOf(addressOf(requestWith(forwarded), trustOf('1')))

const port = fc.integer({ min: 1, max: 65_535 })
const spelt = fc.oneof(
  fc.string(),
  fc.ipV4(),
  fc.ipV6(),
  fc.tuple(fc.ipV4(), port).map(([address, at]) => `${address}:${at}`),
  fc.tuple(fc.ipV6(), port).map(([address, at]) => `[${address}]:${at}`),
)

it('A network key is an IPv4 address or an IPv6 /64, whatever X-Forwarded-For contains', () => {
  const canonical = /^\d{1,3}(\.\d{1,3}){3}$|^([\da-f]{1,4}:){4}:\/64$/
  const entries = fc.array(spelt, { maxLength: 4 })
  fc.assert(fc.property(entries, (all) => void expect(keyOf(all.join(', '))).toMatch(canonical)))
})

it('A port, brackets or upper case do not change the network of an address', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV4(), port, (six, four, at) => {
      for (const other of [`[${six}]:${at}`, `[${six}]`, six.toUpperCase(), `${six}%eth0`])
        expect(keyOf(other)).toBe(keyOf(six))
      for (const other of [`${four}:${at}`, `::ffff:${four}`, `[::FFFF:${four}]:${at}`]) expect(keyOf(other)).toBe(four)
    }),
  )
})
