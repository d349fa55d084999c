import { expect, it } from 'vitest'
import { dayWords, rowTime } from './row-time.ts'

const now = new Date(2026, 10, 20, 15, 0)
const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
const days = 24 * 60

it('says the time of a row as shortly as it can', () => {
  const words = [0, 2, 180, days, 3 * days, 20 * days].map((minutes) => rowTime(before(minutes), now, 'en-GB'))
  expect(words).toEqual(['now', '2 mins', '12:00', 'Yesterday', 'Tue', '31 Oct'])
})

it('says the day of a separator', () => {
  const words = [0, days, 3 * days].map((minutes) => dayWords(before(minutes), now, 'en-GB'))
  expect(words).toEqual(['Today', 'Yesterday', 'Tuesday 17 November'])
  expect(dayWords(before(400 * days), now, 'en-GB')).toContain('2025')
})

it('takes a clock that runs ahead for now', () => expect(rowTime(before(-3), now, 'en-GB')).toBe('now'))
