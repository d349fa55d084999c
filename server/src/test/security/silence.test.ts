import { api } from '@duet/contract/api.ts'
import { requests } from '@duet/contract/realtime.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tier } from '../../../../tools/tier.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { ownerOf, startTestApp, type TestApp } from '../app.ts'
import { firstSeed, noteFigure } from './figures.ts'
import { type Rows, rowsOf } from './rows.ts'
import { actNames } from './silence/acts.ts'
import { covered } from './silence/covered.ts'
import { alikeFor, allCells, comparedIn, expectedOf, isAlike } from './silence/notices.ts'
import { relations, scenes } from './silence/pair.ts'
import { type Cell, type Outcome, play } from './silence/play.ts'
import { table } from './silence/table.ts'

const atOnce = 25
/**
 * How many random cells run in addition to the most serious ones, which always run. In `npm test`, they are between
 * matched people.
 */
const byChance = 40

/**
 * Actions by which someone protects themselves or leaves: the worst leak is that the other person notices or can tell
 * these actions apart.
 */
const isGravest = (cell: Cell) => isAlike(cell) && cell.scene === 'both here' && comparedIn(cell.act, cell.scene)

function drawn(cells: Cell[], count: number): Cell[] {
  const [some = []] = fc.sample(fc.shuffledSubarray(cells, { minLength: count, maxLength: count }), {
    ...{ seed: firstSeed(1), numRuns: 1 },
  })
  return some
}

function chosenCells(): Cell[] {
  const all = allCells()
  if (tier === 'release') return all
  const gravest = all.filter((cell) => isGravest(cell) && (tier !== 'quick' || cell.relation === 'match'))
  const others = all.filter((cell) => !isGravest(cell))
  if (tier === 'quick')
    return [
      ...gravest,
      ...relations.flatMap((relation) =>
        drawn(
          others.filter((cell) => cell.relation === relation),
          1,
        ),
      ),
    ]
  return [...gravest, ...drawn(others, byChance)]
}

let app: TestApp
let rows: Rows
let owner: Pools
const outcomes: Outcome[] = []
beforeAll(async () => {
  app = await startTestApp()
  rows = await rowsOf(app)
  owner = connectOwner(ownerOf(app.platform), () => undefined)
  const cells = chosenCells()
  for (let start = 0; start < cells.length; start += atOnce)
    outcomes.push(...(await play({ app, owner, rows }, cells.slice(start, start + atOnce), start)))
  noteFigure('R3.silence_cells', outcomes.length, 'acts × relations × connections: heard and found as the table says')
}, 3_600_000)
afterAll(async () => {
  await rows.close()
  await owner.db.destroy()
  await app.close()
})

/** A stored deck is rebuilt at an unpredictable time. Where the table marks that, both results are accepted. */
function withDoubts(noticed: string, allowed: string): string {
  if (!allowed.endsWith(' deck?')) return noticed
  const sure = noticed.replace(/ deck( export)?$/, '') || '/'
  return sure === allowed.replace(' deck?', '') ? allowed : noticed
}

/**
 * Excludes lines that differ after an erasure, which runs two weeks after its request: by then the device has a newer
 * list, and the day's likes have changed. An erased person can't be reported anymore and isn't on any list of past
 * contacts (decision 026).
 */
const lasting = ({ transcript }: Outcome) => transcript.filter((line) => !/^(list|deck|past|report) /.test(line))

const nameOf = ({ act, relation, scene }: Cell) => `${act}, ${relation}, ${scene}`

describe('an observer', { tags: ['more-in-long', 'more-in-release'] }, () => {
  it.each(relations)('notices what the table says where the actor is: %s', (relation) => {
    const those = outcomes.filter((outcome) => outcome.relation === relation)
    expect(those.length).toBeGreaterThan(0)
    const found = those.map((outcome) => {
      const allowed = expectedOf(table, outcome.act, outcome.relation, outcome.scene)
      return `${nameOf(outcome)}: ${withDoubts(outcome.noticed, allowed)}`
    })
    const expected = those.map(
      (outcome) => `${nameOf(outcome)}: ${expectedOf(table, outcome.act, outcome.relation, outcome.scene)}`,
    )
    expect(found).toEqual(expected)
  })

  it.each(relations)(
    'An observer can’t tell, to the last byte, why an actor is gone or back who is: %s',
    (relation) => {
      for (const acts of alikeFor(relation)) {
        for (const scene of scenes) {
          const those = outcomes.filter(
            (one) =>
              one.relation === relation && one.scene === scene && acts.includes(one.act) && comparedIn(one.act, scene),
          )
          const [first] = those
          if (!first) continue
          const at = (outcome: Outcome) => (outcome.act === 'be erased' ? lasting : (one: Outcome) => one.transcript)
          for (const outcome of those) {
            const compared = at(outcome)
            expect([scene, outcome.act, compared(outcome)]).toEqual([scene, outcome.act, compared(first)])
          }
        }
      }
    },
  )
})

describe('the table', () => {
  it('The silence table has every cell.', () => {
    for (const { act, relation, scene } of allCells()) expectedOf(table, act, relation, scene)
    expect(Object.keys(table).sort()).toEqual([...actNames].sort())
  })

  it('has an act for everything that can be asked for, or says why not', () => {
    const askable = [...api.map(({ method, path }) => `${method} ${path}`), ...Object.keys(requests)]
    expect(Object.keys(covered).sort()).toEqual(askable.sort())
    const played = new Set(Object.values(covered).flat())
    const unasked = ['connect', 'disconnect']
    expect(actNames.filter((name) => !played.has(name) && !unasked.includes(name))).toEqual([])
  })
})
