import { expect, it, vi } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

it('A pending run is shared by all callers, and the next call starts a new one', async () => {
  let end: (result: string) => void = () => undefined
  const act = vi.fn<() => Promise<string>>()
  act.mockReturnValueOnce(new Promise((resolve) => (end = resolve)))
  act.mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce('the third')
  const run = oneAtATime(act)
  const waiting = [run(), run()]
  expect(act).toHaveBeenCalledTimes(1)
  end('the first')
  expect(await Promise.all(waiting)).toEqual(['the first', 'the first'])
  await expect(run()).rejects.toThrow('away')
  expect(await run()).toBe('the third')
})
