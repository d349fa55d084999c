import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { memoryList } from '../talk.test-people.ts'
import { createChat } from './chat.ts'
import type { Selection } from './context.ts'
import { memoryStorage } from './outbox/outbox-storage.ts'
import { soloTabs } from './outbox/tabs.ts'
import { fakeServer } from './server.test-fake.ts'

// Importing this file gives each test fake timers and an empty server.
export let server = fakeServer()
export function startServer(): void {
  server = fakeServer()
}
export const stops: (() => void)[] = []
export const calls = { answer: (...asked: unknown[]): Promise<unknown> => Reflect.apply(server.call, undefined, asked) }

// Import the modules in advance, because a dynamic import takes real time and fake timers don't wait for it.
beforeAll(() => Promise.all([import('./pages/pages.ts'), import('./changes.ts')]))
beforeEach(() => {
  vi.useFakeTimers()
  startServer()
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.useRealTimers()
})

export async function device(loses?: () => boolean, whenLookedAt?: (act: () => void) => void) {
  const started = offlineDevice(loses, whenLookedAt)
  started.line.connected = true
  await started.chat.connected()
  await rest()
  return started
}

export function offlineDevice(loses: () => boolean = () => false, whenLookedAt = (act: () => void) => act()) {
  let selected: Selection = { selectedId: null, newFromSeq: undefined, announced: null }
  const receive = (event: string, payload: unknown) =>
    (chat.handlers[event as 'private message'] as (payload: unknown) => void)(payload)
  const { line, socket } = server.connect(receive, loses)
  const chat = createChat({
    viewerId: () => 'me',
    list: memoryList(),
    selection: {
      getState: () => selected,
      setState(change) {
        selected = { ...selected, ...change }
      },
    },
    socket,
    call: ((...asked: unknown[]) => calls.answer(...asked)) as typeof server.call,
    storage: memoryStorage(),
    tabs: soloTabs,
    whenLookedAt,
  })
  line.connected = false
  stops.push(chat.start())
  const maya = () => chat.list.read().find(({ id }) => id === 'maya')!
  const seqs = () => maya().messages?.map(({ seq }) => seq)
  const selection = () => selected
  return { chat, line, maya, seqs, selection }
}

export const rest = (milliseconds = 2_000) => vi.advanceTimersByTimeAsync(milliseconds)
export const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

export function talk(count: number, from = 'maya'): void {
  for (let nth = 0; nth < count; nth += 1) server.write('maya', from)
}
