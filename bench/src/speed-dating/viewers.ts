import type { Shown } from '../../../server/src/features/matching/metrics.ts'
import type { Pair } from './evenings.ts'

/** Groups the predicted pairs by viewer, because each person ranks the people they met. */
export function viewersOf(cases: readonly { pair: Pair; mask: number }[], scores: readonly number[]): Shown[] {
  const viewers = new Map<string, Shown>()
  for (const [place, { pair, mask }] of cases.entries())
    for (const person of pair.people) {
      const key = `${person.place} ${mask}`
      const viewer = viewers.get(key) ?? { labels: [], scores: [] }
      viewer.labels.push(pair.match)
      viewer.scores.push(scores[place] ?? 0)
      viewers.set(key, viewer)
    }
  return [...viewers.values()]
}
