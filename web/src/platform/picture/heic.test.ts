import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { decodeHeic } from './heic.ts'

let workers: SilentWorker[]

class SilentWorker {
  onmessageerror = () => undefined
  isEnded = false
  constructor() {
    workers.push(this)
  }
  postMessage(): void {}
  terminate(): void {
    this.isEnded = true
  }
}

beforeEach(() => {
  workers = []
  vi.stubGlobal('Worker', SilentWorker)
  // In tests, the worker's URL differs from that in a build, so the app's Trusted Types policy would reject it.
  vi.stubGlobal('trustedTypes', { createPolicy: () => ({ createScriptURL: (url: string) => url }) })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const waysToEnd = {
  'is aborted': (_: SilentWorker, stop: AbortController) => stop.abort(),
  'sends an unreadable response': (worker: SilentWorker) => worker.onmessageerror(),
  'never responds': () => vi.runAllTimersAsync(),
}

it.each(Object.entries(waysToEnd))('a decoder that %s is terminated', async (_, end) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const stop = new AbortController()
  const outcome = decodeHeic(new Blob(['x']), stop.signal).catch(() => 'failed')
  await eventually(() => expect(workers.length).toBe(1))
  await end(workers[0]!, stop)
  expect(await outcome).toBe('failed')
  expect(workers[0]?.isEnded).toBe(true)
})

it('no decoder starts if the signal has already aborted', async () => {
  await expect(decodeHeic(new Blob(['x']), AbortSignal.abort())).rejects.toThrow()
  expect(workers).toEqual([])
})
