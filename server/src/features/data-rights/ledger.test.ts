import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ledgerFile, noteInLedger, readLedger } from './ledger.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-ledger-'))
  path = ledgerFile(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const now = () => new Date().toISOString()
const erased = () => ({ userId: randomUUID(), erasedAt: now() })
const asked = () => ({ userId: randomUUID(), eraseAt: now(), notedAt: now() })
const spent = () => ({ userId: randomUUID(), spentCode: 'a7'.repeat(32), spentAt: now() })
const kept = () => ({ userId: randomUUID(), eraseAt: null, notedAt: now() })

it('a ledger returns all its entries in order, and no entries without a file', async () => {
  expect(await readLedger(path)).toEqual([])
  const all = [erased(), asked(), kept(), spent(), erased()]
  for (const one of all) await noteInLedger(folder, [one])
  const more = [asked(), asked()]
  await noteInLedger(folder, more)
  expect(await readLedger(path)).toEqual([...all, ...more])
})

it.each([
  ['asked for', asked],
  ['erased', erased],
  ['spent', spent],
])('an entry cut off anywhere is ignored, and the others are read: %s', { tags: 'long' }, async (_what, make) => {
  const [before, cut, after] = [erased(), JSON.stringify(make()), kept()]
  for (let length = 0; length < cut.length; length++) {
    await rm(path, { force: true })
    await noteInLedger(folder, [before])
    await appendFile(path, cut.slice(0, length))
    expect(await readLedger(path)).toEqual([before])
    await noteInLedger(folder, [after])
    expect(await readLedger(path)).toEqual([before, after])
  }
})

it('an entry that starts right behind a cut-off one is read', async () => {
  const [one, other] = [erased(), erased()]
  await noteInLedger(folder, [one])
  const { length } = await readFile(path)
  for (const cut of ['{"userId":"12', `{"userId":"${randomUUID()}","erasedAt":"2026-1`, '{', '{"userId":"\0\0\0']) {
    await writeFile(path, (await readFile(path)).subarray(0, length))
    await appendFile(path, `${cut}${JSON.stringify(other)}\n`)
    expect(await readLedger(path)).toEqual([one, other])
  }
})

it('concatenated ledgers of several nodes are read as one, even if one of them was cut off', async () => {
  const [one, other] = [erased(), asked()]
  await noteInLedger(folder, [one])
  await appendFile(path, '{"userId":"12')
  const elsewhere = await mkdtemp(join(folder, 'other-'))
  await noteInLedger(elsewhere, [other])
  await appendFile(path, await readFile(ledgerFile(elsewhere)))
  expect(await readLedger(path)).toEqual([one, other])
})

it.each([
  'nothing of the kind',
  '{"userId":"12"}',
  `{"userId":"${randomUUID()}","eraseAt":"soon","notedAt":"2026-11-22T00:00:00.000Z"}`,
  `x{"userId":"${randomUUID()}","erasedAt":"2026-11-22T00:00:00.000Z"}`,
  `{"userId":"${randomUUID()}","erasedAt":"2026-11-22T00:00:00.000Z"} and more`,
])('a ledger with any other line is refused: %s', async (line) => {
  await noteInLedger(folder, [erased()])
  await appendFile(path, `${line}\n`)
  await expect(readLedger(path)).rejects.toThrow('no ledger')
})
