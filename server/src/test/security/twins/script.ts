import { distanceFilters } from '@duet/contract/limits.ts'
import fc, { type Arbitrary } from 'fast-check'

export interface Place {
  latitude: number
  longitude: number
}

/** One step. `who` is one of the attackers; `n` selects one of a few options. */
export type Step =
  | { act: 'move'; who: number; to: Place }
  /**
   * The attacker moves to where the displayed distance to the victim is about to change, `km` beyond a bucket's edge,
   * and queries.
   */
  | { act: 'probe'; who: number; edge: number; km: number; direction: number }
  | { act: 'filter'; who: number; km: (typeof distanceFilters)[number] | null; ages: [number, number] }
  | { act: 'nearby'; who: number; limit: number }
  | { act: 'page' | 'deck' | 'likes' | 'matches' | 'history' | 'notices' | 'unblock' | 'connect'; who: number }
  | { act: 'pool'; who: number; km: (typeof distanceFilters)[number] | null }
  | { act: 'decide'; who: number; decision: 'like' | 'pass' | 'later' }
  | { act: 'write' | 'read' | 'type' | 'block' | 'undo'; who: number }
  | { act: 'answered'; who: number; how: 'like' | 'write' | 'block' }
  | { act: 'connected' }
  | { act: 'passing'; minutes: number }
  /** The victim moves. The point is in the same cell in both worlds but differs between them. */
  | { act: 'moved'; place: number }

const who = fc.nat({ max: 1 })
const edge = fc.constantFrom(2, 5, 10, 25, 50, 100)
const beyond = fc.noBias(fc.double({ min: -1.2, max: 1.2, noNaN: true }))
const direction = fc.noBias(fc.double({ min: 0, max: 6.28, noNaN: true }))
const km = fc.constantFrom(...distanceFilters, null)

/** Steps in which attackers move around the place, and the victim moves between a few points. */
const stepAround = ({ latitude, longitude }: Place): Arbitrary<Step> => {
  const offset = fc.double({ min: -0.35, max: 0.35, noNaN: true })
  const to = fc.record({
    latitude: offset.map((by) => latitude + by),
    longitude: offset.map((by) => longitude + by),
  })
  const weigh = (weight: number, arbitrary: Arbitrary<Step>) => ({ weight, arbitrary })
  return fc.oneof(
    weigh(5, fc.record({ act: fc.constant('move'), who, to })),
    weigh(12, fc.record({ act: fc.constant('probe'), who, edge, km: beyond, direction })),
    weigh(
      2,
      fc.record({ act: fc.constant('filter'), who, km, ages: fc.constantFrom([18, 99], [30, 40]) }) as Arbitrary<Step>,
    ),
    weigh(6, fc.record({ act: fc.constant('nearby'), who, limit: fc.integer({ min: 1, max: 8 }) })),
    weigh(4, fc.record({ act: fc.constant('page'), who })),
    weigh(2, fc.record({ act: fc.constant('pool'), who, km })),
    weigh(2, fc.record({ act: fc.constant('decide'), who, decision: fc.constantFrom('like', 'pass', 'later') })),
    weigh(6, fc.record({ act: fc.constantFrom('deck', 'likes', 'matches', 'history', 'notices', 'connect'), who })),
    weigh(4, fc.record({ act: fc.constantFrom('write', 'read', 'type', 'undo'), who })),
    weigh(1, fc.record({ act: fc.constantFrom('block', 'unblock'), who })),
    weigh(2, fc.record({ act: fc.constant('answered'), who, how: fc.constantFrom('like', 'like', 'write', 'block') })),
    weigh(1, fc.record({ act: fc.constant('connected') })),
    weigh(2, fc.record({ act: fc.constant('passing'), minutes: fc.constantFrom(1, 31, 61) })),
    weigh(2, fc.record({ act: fc.constant('moved'), place: fc.nat({ max: 2 }) })),
  ) as Arbitrary<Step>
}

export const scriptsAround = (place: Place, most: number): Arbitrary<Step[]> =>
  fc.array(stepAround(place), { minLength: 5, maxLength: most })
