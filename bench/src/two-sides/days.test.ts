import { expect, it } from 'vitest'
import { chance } from './chance.ts'
import { type Policy, simulate } from './days.ts'
import { outcomeOf, reachOf } from './outcomes.ts'
import { baselines, duet } from './policies.ts'
import { drawWorld, withComings } from './world.ts'

const days = 9
const rules = { days, seed: 5, effects: 'learned' } as const
const world = withComings(drawWorld(5, 40, 30), 5, days)

function recorded(policy: Policy) {
  const visits: string[] = []
  const recording: Policy = (options, visit) => {
    visits.push(`${visit.day} ${visit.random()}`)
    return policy(options, visit)
  }
  return { visits, recording }
}

it('a draw depends only on its keys, and draws are spread evenly', () => {
  const drawn = Array.from({ length: 10_000 }, (_, place) => chance(1, 'decision', 0, place, 3))
  expect(drawn).toEqual(Array.from({ length: 10_000 }, (_, place) => chance(1, 'decision', 0, place, 3)))
  expect(new Set(drawn).size).toBeGreaterThan(9_990)
  expect(drawn.reduce((sum, one) => sum + one, 0) / drawn.length).toBeCloseTo(0.5, 1)
  expect(chance(1, 'visit', 0, 7, 3)).not.toBe(chance(1, 'decision', 0, 7, 3))
  expect(chance(1, 'visit', 0, 7, 3)).not.toBe(chance(2, 'visit', 0, 7, 3))
})

it('every policy gets the same visits, in the same order and with the same draws', () => {
  const [one, other] = [recorded(duet), recorded(baselines['distance only'])]
  simulate(world, one.recording, rules)
  simulate(world, other.recording, rules)
  expect(one.visits).toEqual(other.visits)
  expect(one.visits.length).toBeGreaterThan(100)
})

it('a pair decides the same on the same day, whatever else happened', () => {
  const everybody: Policy = (options) => options.map(({ place }) => place)
  const backwards: Policy = (options) => options.map(({ place }) => place).reverse()
  const [one, other] = [everybody, backwards].map((policy) => simulate(world, policy, rules))
  expect(one?.matches).toBe(other?.matches)
  expect(one?.shown).toEqual(other?.shown)
})

it('nobody is shown before they arrive or after they leave', () => {
  const { shown } = simulate(world, duet, rules)
  for (const side of [0, 1] as const)
    for (const [place, { here }] of world.sides[side].entries())
      for (let day = 0; day < days; day++)
        if (day < here[0] || day >= here[1]) expect(shown[side][day * world.sides[side].length + place]).toBe(0)
})

it('a burst changes nothing before its day, and the reach of the people it liked is measured from then on', () => {
  const burst = { day: 4, likes: 8 }
  const [without, after] = [simulate(world, duet, rules), simulate(world, duet, { ...rules, burst })]
  expect(after.burst).toHaveLength(8)
  const women = world.sides[1].length
  expect(after.shown[1].slice(0, 4 * women)).toEqual(without.shown[1].slice(0, 4 * women))
  expect(reachOf(world, without, after.burst, 4, days)).toBeGreaterThan(0)
})

it("newcomers' share of impressions is 1 if everyone is shown equally", () => {
  const lived = simulate(world, duet, rules)
  for (const side of [0, 1] as const) lived.shown[side].fill(1)
  expect(outcomeOf(world, lived, days).newcomerShare).toBeCloseTo(1, 10)
})
