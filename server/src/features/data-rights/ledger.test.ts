import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ledgerFile, noteErased, readLedger } from './ledger.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-ledger-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const erased = () => ({ userId: randomUUID(), erasedAt: new Date().toISOString() })

it('a ledger holds everybody who was noted, in order; none is nobody', async () => {
  expect(await readLedger(ledgerFile(folder))).toEqual([])
  const all = [erased(), erased(), erased()]
  for (const one of all) await noteErased(folder, one)
  expect(await readLedger(ledgerFile(folder))).toEqual(all)
})

it('a last line that was cut off is left out', async () => {
  const one = erased()
  await noteErased(folder, one)
  await appendFile(ledgerFile(folder), '{"userId":"12')
  expect(await readLedger(ledgerFile(folder))).toEqual([one])
})

it('what is no ledger is refused', async () => {
  await noteErased(folder, erased())
  await appendFile(ledgerFile(folder), 'nothing of the kind\n')
  await expect(readLedger(ledgerFile(folder))).rejects.toThrow('no ledger')
})
