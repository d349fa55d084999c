import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds, tier } from '../../../../tools/tier.ts'
import { snap } from '../../features/cells/cells.ts'
import { caller } from '../people.ts'
import { firstSeed, noteFigure } from './figures.ts'
import { areAlike, type Pairs, play } from './twins/play.ts'
import { type Place, type Step, scriptsAround } from './twins/script.ts'
import { startTwins, type Twin, type Twins } from './twins/twins.ts'

const round = { scripts: rounds(25, 25, 100), first: 7, last: rounds(7, 7, 16) }
const seeds = Array.from({ length: round.last - round.first + 1 }, (_, n) => round.first + n)
const chosen = seeds.filter((seed) => seed >= firstSeed(round.first))
const longest = rounds(14, 14, 40)
const mostTries = 8
const middle = { latitude: 50.0755, longitude: 14.4378 }

let twins: Twins
const known = new Set<string>()
const joined = async (name: string): Promise<Twin> => {
  const twin = await twins.join(name)
  known.add(twin.id)
  return twin
}
beforeAll(async () => {
  twins = await startTwins()
  for (let n = 0; n < 5; n++) await settle(await joined(`Neighbour ${n}`), 0.05 * n)
})
afterAll(() => twins.close())

async function settle({ token }: Twin, by: number): Promise<void> {
  const body = { latitude: middle.latitude + by, longitude: middle.longitude - by }
  for (const { url } of twins.worlds) await caller(url, token).call('PATCH /api/user/updateLocation', { body })
}

const near = (reach: number) => fc.noBias(fc.double({ min: -reach, max: reach, noNaN: true }))
const place = (from: Place, reach: number) =>
  fc.record({
    latitude: near(reach).map((by) => from.latitude + by),
    longitude: near(reach).map((by) => from.longitude + by),
  })

/** Three places for the victim, each given as two points in the same cell, whichever cell the victim came from. */
const pairs = fc
  .array(
    place(middle, 0.06).chain((centre) => {
      const at = snap(centre.latitude, centre.longitude)
      // Generated one pair at a time, because three random pairs rarely satisfy the condition together.
      return fc.tuple(place(at, 0.014), place(at, 0.014)).filter((pair) => areAlike(pair, []))
    }),
    { minLength: 3, maxLength: 3 },
  )
  .filter((found) => {
    const cells = found.map(([{ latitude, longitude }]) => snap(latitude, longitude).cell)
    return found.every((pair) => areAlike(pair, cells) && pair[0].latitude !== pair[1].latitude)
  })

const told = { scripts: 0, bytes: 0 }
afterAll(() => {
  noteFigure('R2.scripts', told.scripts, 'of attackers in two worlds: whole transcripts byte-equal')
  noteFigure('R2.bytes_compared', told.bytes, 'of those transcripts')
})

/** Runs a script with new people and returns the first line that differs between the two worlds. */
async function difference(script: readonly Step[], places: Pairs): Promise<string | undefined> {
  const victim = await joined('Victim')
  const attackers = [await joined('First'), await joined('Second')]
  const [here, there] = await play({ twins, victim, attackers, pairs: places }, script, known)
  await twins.leave([victim, ...attackers])
  told.bytes += here.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
  const length = Math.max(here.length, there.length)
  const at = Array.from({ length }, (_, n) => n).find((n) => here[n] !== there[n])
  return at === undefined ? undefined : `${here[at]}\n  or\n${there[at]}`
}

describe('two people in one published cell', () => {
  it.each(chosen)(
    'Two people in one cell look the same to attackers, to the last byte (seed %i).',
    { tags: ['long', 'more-in-release'] },
    async (seed) => {
      const since = { ...told }
      await fc.assert(
        fc.asyncProperty(scriptsAround(middle, longest), pairs, async (script, places) => {
          // Ranking statistics and presence are updated on timers, so a difference counts only if it recurs on every
          // try, with other people.
          for (let tries = 1; tries <= mostTries; tries++) {
            const found = await difference(script, places)
            if (found === undefined) {
              told.scripts += 1
              return
            }
            if (tries === mostTries) throw new Error(found)
          }
        }),
        { numRuns: round.scripts, seed, endOnFailure: true },
      )
      if (tier === 'release') {
        const { scripts, bytes } = { scripts: told.scripts - since.scripts, bytes: told.bytes - since.bytes }
        process.stdout.write(`seed ${seed}: ${scripts} scripts run, ${bytes} bytes compared\n`)
      }
    },
  )

  it('The twins test would notice if one person moved to another cell.', { tags: 'long' }, async () => {
    const [one, other] = [middle, { latitude: middle.latitude + 0.09, longitude: middle.longitude }]
    const script: Step[] = [
      { act: 'move', who: 0, to: one },
      { act: 'nearby', who: 0, limit: 8 },
    ]
    expect(await difference(script, [[one, other]])).toBeDefined()
  })
})
