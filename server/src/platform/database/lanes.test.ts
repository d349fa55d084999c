import { expect, it, vi } from 'vitest'
import { createLanes } from './lanes.ts'

const outage = () => Object.assign(new Error('the database is away'), { code: '57P01' })

function gate() {
  const batches: { items: string[]; go(): void; fail(error: Error): void }[] = []
  const flush = (items: string[]) =>
    new Promise<string[]>((resolve, reject) =>
      batches.push({ items, go: () => resolve(items.map((item) => `${item}!`)), fail: reject }),
    )
  return { batches, flush }
}

it('An idle lane flushes an item immediately and returns its result', async () => {
  const { batches, flush } = gate()
  const lanes = createLanes({ flush })
  const result = lanes.push('key', 'a')
  expect(batches).toHaveLength(1)
  batches[0]?.go()
  expect(await result).toBe('a!')
})

it('Items that arrive during a flush form the next batches, in order and up to the limit', async () => {
  const { batches, flush } = gate()
  const lanes = createLanes({ flush, most: 3 })
  const results = ['a', 'b', 'c', 'd', 'e'].map((item) => lanes.push('key', item))
  for (let n = 0; n < 3; n++) {
    await expect.poll(() => batches.length).toBe(n + 1)
    batches[n]?.go()
  }
  expect(await Promise.all(results)).toEqual(['a!', 'b!', 'c!', 'd!', 'e!'])
  expect(batches.map(({ items }) => items)).toEqual([['a'], ['b', 'c', 'd'], ['e']])
})

it('Items of one key never run concurrently, and items of another lane do not wait', {
  tags: 'race',
}, async () => {
  const { batches, flush } = gate()
  const lanes = createLanes({ flush, lanes: 2 })
  for (const key of ['a', 'a', 'b', 'b']) void lanes.push(key, key)
  expect(batches.map(({ items }) => items)).toEqual([['a'], ['b']])
})

it('An Error among the results rejects only its own item', async () => {
  const flush = async (items: string[]) => items.map((item) => (item === 'bad' ? new Error('no') : item))
  const lanes = createLanes<string, string>({ flush })
  const results = await Promise.allSettled(['a', 'bad', 'c'].map((item) => lanes.push('key', item)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it.each([new SyntaxError('poison'), Object.assign(new Error('poison'), { code: '55P03' })])(
  'A batch that fails with %o is tried item by item, and the item at fault fails alone',
  async (fault) => {
    const sizes: number[] = []
    const flush = async (items: string[]) => {
      sizes.push(items.length)
      if (items.includes('poison')) throw fault
      return items
    }
    const lanes = createLanes({ flush })
    const results = await Promise.allSettled(['first', 'a', 'poison', 'b'].map((item) => lanes.push('key', item)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(sizes).toEqual([1, 3, 1, 1, 1])
  },
)

it('A database outage fails a batch immediately, and the next batch is tried', async () => {
  const flush = vi.fn(async (items: string[]) => {
    if (flush.mock.calls.length === 2) throw outage()
    return items
  })
  const lanes = createLanes({ flush, most: 2 })
  const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((item) => lanes.push('key', item)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
})

it('Retrying items one by one stops at a database outage', async () => {
  const failures = [undefined, new Error('one of them'), outage()]
  const flush = vi.fn(async (items: string[]) => {
    const failure = failures[flush.mock.calls.length - 1]
    if (failure) throw failure
    return items
  })
  const lanes = createLanes({ flush })
  const results = await Promise.allSettled(['first', 'a', 'b', 'c'].map((item) => lanes.push('key', item)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
  expect(flush).toHaveBeenCalledTimes(3)
})

it('A full lane rejects items with retry immediately, until there is room again', async () => {
  const { batches, flush } = gate()
  const lanes = createLanes({ flush, mostWaiting: 2 })
  const taken = ['a', 'b', 'c'].map((item) => lanes.push('key', item))
  await expect(lanes.push('key', 'd')).rejects.toMatchObject({ code: 'retry', retryAfter: 1 })
  batches[0]?.go()
  await expect.poll(() => batches.length).toBe(2)
  taken.push(lanes.push('key', 'e'))
  batches[1]?.go()
  await expect.poll(() => batches.length).toBe(3)
  batches[2]?.go()
  expect(await Promise.all(taken)).toEqual(['a!', 'b!', 'c!', 'e!'])
})

it('A lane whose oldest item has waited too long rejects items with retry', async () => {
  let time = 0
  const { flush } = gate()
  const lanes = createLanes({ flush, mostWaitMs: 2_000, now: () => time })
  void lanes.push('key', 'under way')
  void lanes.push('key', 'waits')
  time = 2_000
  void lanes.push('key', 'still taken')
  time = 2_001
  await expect(lanes.push('key', 'too late')).rejects.toMatchObject({ code: 'retry' })
})

it('Draining waits for every accepted item', async () => {
  const { batches, flush } = gate()
  const lanes = createLanes({ flush, most: 1 })
  const done: string[] = []
  for (const item of ['a', 'b']) void lanes.push('key', item).then((result) => done.push(result))
  const drained = lanes.drain().then(() => done.push('drained'))
  batches[0]?.go()
  await expect.poll(() => batches.length).toBe(2)
  batches[1]?.go()
  await drained
  expect(done).toEqual(['a!', 'b!', 'drained'])
  await lanes.drain()
})

it('Closing rejects new items and waits for every accepted one', async () => {
  const { batches, flush } = gate()
  const lanes = createLanes({ flush })
  const done: string[] = []
  void lanes.push('key', 'a').then((result) => done.push(result))
  const closed = lanes.close().then(() => done.push('closed'))
  await expect(lanes.push('key', 'b')).rejects.toMatchObject({ code: 'retry' })
  batches[0]?.go()
  await closed
  expect(done).toEqual(['a!', 'closed'])
})
