import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createContacts } from './contacts.ts'
import { createOnline, graceMs } from './online.ts'
import { createVisibility } from './visibility.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a person who returns and leaves again within the grace period gets a full new grace period', () => {
  const lists: string[][] = []
  const here = new Set(['ana'])
  const realtime = {
    isConnected: (id: string) => here.has(id),
    isConnectedHere: (id: string) => here.has(id),
    publishHere: (_ids: string[], _event: string, users: { id: string }[]) => lists.push(users.map(({ id }) => id)),
  }
  const [contacts, visibility] = [createContacts(), createVisibility()]
  contacts.enter('ana')
  contacts.watch('ana', 'ben')
  contacts.watch('ben', 'ana')
  visibility.take(['ana'], [])
  const online = createOnline(realtime as never, contacts, visibility)
  const shown = () => {
    online.sendIfChanged('ana')
    return lists.at(-1)
  }
  online.moved([], ['ben'])
  vi.advanceTimersByTime(graceMs / 2)
  online.moved(['ben'], [])
  online.moved([], ['ben'])
  vi.advanceTimersByTime(graceMs * 0.9)
  expect(shown()).toEqual(['ben'])
  vi.advanceTimersByTime(graceMs)
  expect(shown()).toEqual([])
})
