import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { standstillMs } from '../../test/standstill.ts'
import { hours, minutes } from '../clock.ts'
import { backupName } from './backup-place.ts'
import { watchNewest } from './newest-backup.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const [first, second] = [new Date('2026-03-01T02:11:00Z'), new Date('2026-03-02T02:11:00Z')]
function store(givenUpMs = 60_000) {
  const list = vi.fn<() => Promise<string[]>>()
  const warnings: string[] = []
  return {
    list,
    warnings,
    newest: watchNewest({ list }, { warn: (_, line) => void warnings.push(line) }, { patienceMs: 5, givenUpMs }),
  }
}

it('The store is listed once an hour', async () => {
  const { list, newest } = store()
  list.mockResolvedValueOnce([backupName(first)]).mockResolvedValueOnce([backupName(first), backupName(second)])
  expect([await newest(), await newest()]).toEqual([first, first])
  expect(list).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(hours(1))
  expect(await newest()).toEqual(second)
})

it('After a failed listing the last known backup stays, and the store is asked again in a minute', async () => {
  const { list, newest, warnings } = store()
  list.mockResolvedValueOnce([backupName(first)]).mockRejectedValueOnce(new Error('away'))
  await newest()
  vi.advanceTimersByTime(hours(1))
  expect([await newest(), await newest()]).toEqual([first, first])
  expect(list).toHaveBeenCalledTimes(2)
  expect(warnings).toEqual(['backups could not be listed'])
  list.mockResolvedValueOnce([backupName(second)])
  vi.advanceTimersByTime(minutes(1))
  expect(await newest()).toEqual(second)
})

it('A hanging store delays a reading only briefly and is not asked again meanwhile', async () => {
  const { list, newest } = store()
  list.mockReturnValueOnce(new Promise(() => undefined))
  for (let scrape = 0; scrape < 3; scrape++) {
    expect(await newest()).toBeUndefined()
  }
  expect(list).toHaveBeenCalledTimes(1)
})

it('A listing that hangs for too long is abandoned and retried after a minute', async () => {
  const { list, newest, warnings } = store(20)
  list.mockReturnValueOnce(new Promise(() => undefined)).mockResolvedValueOnce([backupName(first)])
  await newest()
  await vi.waitFor(() => expect(warnings).toHaveLength(1), { timeout: standstillMs })
  vi.advanceTimersByTime(minutes(1))
  expect(await newest()).toEqual(first)
})
