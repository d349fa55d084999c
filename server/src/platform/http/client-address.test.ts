import { request } from 'node:http'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { addressOf, trustOf } from './client-address.ts'

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
])(
  'with TRUST_PROXY %s and X-Forwarded-For "%s" the address is %s, for Fastify and for connections',
  async (...row) => {
    const [trustProxy, forwarded, expected] = row
    const trusts = trustOf(trustProxy)
    const app = Fastify({ trustProxy: trusts })
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
  },
)
