import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { median } from '../../../../tools/percentiles.ts'
import { developPhoto } from '../../features/photos/develop-aside.ts'
import { createDecoders, type Decoders } from '../../platform/storage/decoders.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { type Person, person } from '../people.ts'
import { noteFigure } from './figures.ts'
import { jpeg, manyScans } from './uploads/pictures.ts'

const unchecked = fileURLToPath(new URL('../decode-unchecked.test-process.ts', import.meta.url))
const rounds = 7

async function msOf(act: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await act()
  return performance.now() - since
}

/** Median durations of `ordinary` alone and while `hostile` repeats. */
async function compare(ordinary: () => Promise<unknown>, hostile: (n: number) => Promise<unknown>) {
  const [alone, beside]: [number[], number[]] = [[], []]
  await ordinary()
  for (let n = 0; n < rounds; n++) alone.push(await msOf(ordinary))
  let done = false
  const going = [0, 1].map(async (place) => {
    for (let n = place; !done; n += 2) await hostile(n).catch(() => undefined)
  })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  for (let n = 0; n < rounds; n++) beside.push(await msOf(ordinary))
  done = true
  return { alone: median(alone), beside: median(beside), end: () => Promise.all(going) }
}

/** Resident memory of this process's children, in bytes. */
function childrenBytes(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, pid) => {
    try {
      return sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    } catch {
      return sum
    }
  }, 0)
}

describe('a JPEG with thousands of scans', () => {
  let app: TestApp
  const people: Person[] = []
  beforeAll(async () => {
    app = await startTestApp({ LOG_LEVEL: 'fatal', RATE_LIMIT_SCALE: '1' })
    for (let n = 0; n < 4; n++) people.push(await person(app))
  })
  afterAll(() => app.close())

  const send = (from: Person, bytes: Buffer) => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg')
    const params = { userId: (people[3] as Person).id }
    return from.call('POST /api/conversations/:userId/attachments', { params, form })
  }

  it('A JPEG with thousands of scans is refused for every kind of photo, with a reason.', {
    tags: 'long',
  }, async () => {
    const { status, body } = await send(people[0] as Person, manyScans(1_000, 200))
    expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
    expect(body.detail).toContain('scans')
  })

  it('A JPEG with few scans is accepted.', async () => {
    expect((await send(people[0] as Person, manyScans(1_000, 20))).status).toBe(201)
  })

  it('A JPEG with thousands of scans doesn’t delay anyone else.', { tags: 'release' }, async () => {
    const [bytes, ordinary] = [manyScans(6_300, 2_600), await jpeg(3_000, 2_000)]
    const { alone, beside, end } = await compare(
      () => send(people[2] as Person, ordinary),
      (n) => send(people[n % 2] as Person, bytes),
    )
    await end()
    noteFigure(
      'R9.refused_ratio',
      Math.round((beside / alone) * 100) / 100,
      `an ordinary upload beside two people who send such files without end (${Math.round(beside)} ms, alone ${Math.round(alone)} ms)`,
    )
  })
})

describe('a file that is costly in an unforeseen way', () => {
  let decoders: Decoders
  beforeAll(() => {
    decoders = createDecoders({ program: unchecked })
  })
  afterAll(() => decoders.close())

  it('An unforeseen costly file doesn’t delay anyone else, and is aborted with its memory.', {
    tags: 'release',
  }, async () => {
    const [bytes, ordinary] = [manyScans(6_300, 2_600), await jpeg(3_000, 2_000)]
    let most = 0
    const watching = setInterval(() => {
      most = Math.max(most, childrenBytes())
    }, 50)
    const { alone, beside, end } = await compare(
      () => developPhoto({ decoders }, 'ana', ordinary),
      (n) => decoders.decode(`mallory ${n}`, { decoder: 'unchecked', bytes }),
    )
    clearInterval(watching)
    await decoders.close()
    await end()
    noteFigure(
      'R9.wait_ratio',
      Math.round((beside / alone) * 100) / 100,
      `an ordinary upload beside two files that take until they are given up (${Math.round(beside)} ms, alone ${Math.round(alone)} ms; medians of ${rounds})`,
    )
    noteFigure('R9.decoders_mb', Math.round(most / 1e6), 'resident memory of all decoder processes meanwhile')
    expect(most).toBeLessThan(1_500e6)
  })
})
