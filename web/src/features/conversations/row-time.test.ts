import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { clock, dayWords, rowTime, useDayWords } from './row-time.ts'

const now = new Date(2026, 10, 20, 15, 0)
const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
const days = 24 * 60

it('rowTime uses the shortest form for the age of a message', () => {
  const words = [0, 2, 180, days, 3 * days, 20 * days].map((minutes) => rowTime(before(minutes), now, 'en-GB'))
  expect(words).toEqual(['now', '2 mins', '12:00', 'Yesterday', 'Tue', '31 Oct'])
})

it('dayWords names the day of a separator', () => {
  const words = [0, days, 3 * days].map((minutes) => dayWords(before(minutes), now, 'en-GB'))
  expect(words).toEqual(['Today', 'Yesterday', 'Tuesday 17 November'])
  expect(dayWords(before(400 * days), now, 'en-GB')).toContain('2025')
})

it('A timestamp in the future shows as now', () => expect(rowTime(before(-3), now, 'en-GB')).toBe('now'))

it('A new date format is created when the device’s time zone changes', () => {
  const { DateTimeFormat } = Intl
  const make = vi.fn()
  class Noted extends DateTimeFormat {
    constructor(...asked: ConstructorParameters<typeof DateTimeFormat>) {
      super(...asked)
      make()
    }
  }
  Object.assign(Intl, { DateTimeFormat: Noted })
  clock(before(0), 'en-AU')
  clock(before(0), 'en-AU')
  expect(make).toHaveBeenCalledTimes(1)
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-765)
  clock(before(0), 'en-AU')
  expect(make).toHaveBeenCalledTimes(2)
  Object.assign(Intl, { DateTimeFormat })
  vi.restoreAllMocks()
})

it('A day label changes to “Yesterday” automatically after midnight', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 20, 23, 58) })
  const sent = new Date(2026, 10, 20, 23, 40).toISOString()
  const { result } = renderHook(() => useDayWords(sent, 'en'))
  expect(result.current).toBe('Today')
  act(() => void vi.advanceTimersByTime(3 * 60_000))
  expect(result.current).toBe('Yesterday')
  vi.useRealTimers()
})
