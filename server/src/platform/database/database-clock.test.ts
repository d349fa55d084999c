import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followDatabase } from './database-clock.ts'

// The local clock starts at noon; the database's clock is ahead by `off`. A reply takes `tookMs`, and the database
// reads its clock halfway through.
const noon = Date.UTC(2026, 0, 1, 12)
let off: number
let tookMs: number
let fault: Error | undefined
const log = { warn: vi.fn(), debug: vi.fn() }
const pool = {
  query: async () => {
    if (fault) throw fault
    vi.setSystemTime(Date.now() + tookMs / 2)
    const now = Date.now() + off
    vi.setSystemTime(Date.now() + tookMs / 2)
    return { rows: [{ now }] }
  },
}
const follow = () => followDatabase(pool as never, log as never)

beforeEach(() => {
  vi.useFakeTimers({ now: noon })
  ;[off, tookMs, fault] = [0, 4, undefined]
})
afterEach(() => {
  vi.useRealTimers()
  log.warn.mockReset()
})

it.each([600_000, -600_000])('The clock follows a database that is %i ms ahead and logs one warning', async (ahead) => {
  off = ahead
  const clock = await follow()
  expect(Math.abs(clock.now().getTime() - (Date.now() + ahead))).toBeLessThanOrEqual(tookMs)
  await vi.advanceTimersByTimeAsync(180_000)
  expect(log.warn).toHaveBeenCalledTimes(1)
  clock.stop()
})

it('Slow answers do not move the clock when the database agrees with this machine', async () => {
  const clock = await follow()
  for (const took of [0, 1, 900, 7]) {
    tookMs = took
    await vi.advanceTimersByTimeAsync(60_000)
    expect(clock.now().getTime()).toBe(Date.now())
  }
  expect(log.warn).not.toHaveBeenCalled()
  clock.stop()
})

it('A clock change is followed within a minute, and the offset stays while the database does not answer', async () => {
  const clock = await follow()
  fault = new Error('Connection terminated')
  off = 5_000
  await vi.advanceTimersByTimeAsync(60_000)
  expect(clock.now().getTime()).toBe(Date.now())
  fault = undefined
  await vi.advanceTimersByTimeAsync(60_000)
  expect(Math.abs(clock.now().getTime() - (Date.now() + 5_000))).toBeLessThanOrEqual(tookMs)
  clock.stop()
  off = 0
  await vi.advanceTimersByTimeAsync(120_000)
  expect(clock.now().getTime()).toBeGreaterThan(Date.now() + 4_000)
})
