import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/tier.ts'
import { newToken } from '../../platform/security/session.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { caller, type Person, person } from '../people.ts'
import { noteFigure } from './figures.ts'
import { commands, expectAgreement, type Real } from './model/commands.ts'
import { acts, emptyModel, newcomer } from './model/model.ts'
import { putNewcomer } from './newcomers.ts'
import { type Rows, rowsOf } from './rows.ts'

const sequences = rounds(30, 30, 300)
const longest = rounds(14, 14, 40)

let app: TestApp
let rows: Rows
let picture: Blob
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'fatal' })
  rows = await rowsOf(app)
  await person(app, { name: 'Model' })
  const pixels = sharp({ create: { width: 200, height: 200, channels: 3, background: '#a63' } })
  picture = new Blob([new Uint8Array(await pixels.jpeg().toBuffer())])
})
afterAll(async () => {
  await rows.close()
  await app.close()
})

async function join(name: string): Promise<Person> {
  const [id, token] = [randomUUID(), newToken()]
  await putNewcomer(rows, app.clock, { id, token, session: randomUUID(), name })
  return { id, token, email: `${id}@example.com`, name, ...caller(app.url, token) } as Person
}

describe('whatever people do, in whatever order', () => {
  it('Whatever people do, blocked people hear nothing of each other, gone people aren’t found, and counts agree.', {
    tags: ['long', 'more-in-release'],
  }, async () => {
    let played = 0
    const sequence = fc.commands(commands, { maxCommands: longest, size: 'max' })
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const real: Real = { app, picture, people: [await join('One'), await join('Two'), await join('Three')] }
        const model = { ...emptyModel(), people: [newcomer(), newcomer(), newcomer()] }
        try {
          await fc.asyncModelRun(() => ({ model, real }), steps)
          for (const a of model.people.keys()) if (acts(model, a)) await expectAgreement(model, real, a)
          played += 1
        } finally {
          const ids = real.people.map(({ id }) => id)
          await rows.query('delete from accounts where id = any($1::uuid[])', [ids])
        }
      }),
      { numRuns: sequences, seed: 11, endOnFailure: true },
    )
    noteFigure('R3.sequences', played, `of up to ${longest} acts, compared with a model`)
    expect(played).toBe(sequences)
  })
})
