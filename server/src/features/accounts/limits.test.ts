import { describe, expect, it } from 'vitest'
import { hours, seconds } from '../../platform/clock.ts'
import { startTestApp } from '../../test/app.ts'
import { caller } from '../../test/people.ts'

const fresh = () => `${crypto.randomUUID()}@example.com`

describe('limits', () => {
  it('allow five codes an hour for an address, and answer 429 with Retry-After beyond', async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    const email = fresh()
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) {
      const { status, headers, body } = await caller(strict.url).call('POST /api/user/requestOtp', { body: { email } })
      statuses.push(status)
      strict.clock.advance(seconds(31))
      if (status === 429) {
        expect(body.code).toBe('rate_limited')
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(hours(1) / 1000)
      }
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    await strict.close()
  })

  it('allow ten failed sign-ins an hour for an address', async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    const email = fresh()
    const statuses: number[] = []
    for (let count = 0; count < 11; count++) {
      statuses.push(
        (await caller(strict.url).call('POST /api/user/authenticate', { body: { email, password: 'a guess' } })).status,
      )
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses[10]).toBe(429)
    await strict.close()
  })
})
