// @vitest-environment node

import { afterEach, expect, it, vi } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { browserTabs, type TabNews } from './tabs.ts'

interface Request {
  steal?: boolean
  signal?: AbortSignal
}
type Work = () => Promise<void>

function lockManager() {
  let holder: object | undefined
  let loseIt: () => void = () => undefined
  const waiting: (() => void)[] = []
  const grant = (work: Work) =>
    new Promise<void>((resolve, reject) => {
      const me = {}
      holder = me
      loseIt = () => reject(new DOMException('It was stolen.', 'AbortError'))
      const release = () => {
        if (holder !== me) return
        holder = undefined
        waiting.shift()?.()
      }
      work().then(resolve, reject).finally(release)
    })
  function request(_name: string, { steal, signal }: Request, work: Work): Promise<void> {
    if (steal) loseIt()
    if (steal || !holder) return grant(work)
    return new Promise((resolve, reject) => {
      const turn = () => void grant(work).then(resolve, reject)
      waiting.push(turn)
      signal?.addEventListener('abort', () => {
        waiting.splice(waiting.indexOf(turn), 1)
        reject(new DOMException('It took too long.', 'AbortError'))
      })
    })
  }
  return { request }
}

function work() {
  let end: () => void = () => undefined
  const begun = vi.fn(() => new Promise<void>((resolve) => (end = resolve)))
  return { begun, end: () => end() }
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('Only one tab at a time runs its work', async () => {
  vi.stubGlobal('navigator', { locks: lockManager() })
  const [first, second] = [work(), work()]
  const one = browserTabs('me').alone(first.begun)
  const other = browserTabs('me').alone(second.begun)
  await Promise.resolve()
  expect([first.begun.mock.calls.length, second.begun.mock.calls.length]).toEqual([1, 0])
  first.end()
  await one
  await eventually(() => expect(second.begun).toHaveBeenCalledTimes(1))
  second.end()
  await other
})

it('A tab that sleeps while holding the lock loses it', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { locks: lockManager() })
  const [asleep, awake] = [work(), work()]
  const one = browserTabs('me').alone(asleep.begun)
  const other = browserTabs('me').alone(awake.begun)
  await vi.advanceTimersByTimeAsync(14_000)
  expect(awake.begun).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(awake.begun).toHaveBeenCalledTimes(1)
  awake.end()
  await Promise.all([one, other])
})

it('A tab works without coordination where locks are missing or forbidden', async () => {
  for (const locks of [undefined, { request: () => Promise.reject(new DOMException('No.', 'SecurityError')) }]) {
    vi.stubGlobal('navigator', locks ? { locks } : {})
    const alone = work()
    const done = browserTabs('me').alone(alone.begun)
    await eventually(() => expect(alone.begun).toHaveBeenCalledTimes(1))
    alone.end()
    await done
  }
})

it('News reaches only the other tabs of the same person', async () => {
  const [one, other, stranger] = [browserTabs('me'), browserTabs('me'), browserTabs('jun')]
  const heard: TabNews[] = []
  const overheard: TabNews[] = []
  const stops = [
    one.hear(() => undefined),
    other.hear((news) => heard.push(news)),
    stranger.hear((news) => overheard.push(news)),
  ]
  one.tell({ kind: 'cleared' })
  await eventually(() => expect(heard).toEqual([{ kind: 'cleared' }]))
  for (const stop of stops) stop()
  one.tell({ kind: 'cleared' })
  expect(overheard).toEqual([])
})
