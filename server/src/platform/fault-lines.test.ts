import { afterEach, expect, test, vi } from 'vitest'
import { AppError } from './errors.ts'
import { createFaultLines } from './fault-lines.ts'

afterEach(() => vi.useRealTimers())

test('Temporary faults are logged once in ten seconds per reason, internal faults every time', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const isWorthALine = createFaultLines()
  const [full, away] = [new AppError('unavailable', 'It is full.'), new AppError('unavailable', 'It is away.')]
  const ours = new AppError('internal', 'Something went wrong.')
  const [refused] = [new AppError('not_found', 'There is nothing.')]
  expect([full, full, away, ours, ours, refused].map(isWorthALine)).toEqual([true, false, true, true, true, false])
  vi.advanceTimersByTime(10_000)
  expect([full, full].map(isWorthALine)).toEqual([true, false])
})
