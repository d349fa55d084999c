import type { CompletenessItem } from '@duet/contract/profiles.ts'
import { readSheet } from '../questions/sheet.ts'
import type { OwnRow } from './profiles.queries.ts'

/** For each item of a complete profile: its weight in percent, how to count it, and the count that completes it. */
const items: [CompletenessItem['item'], number, (row: OwnRow) => number, wanted?: number][] = [
  ['photo', 20, ({ photos }) => photos.length],
  // At least one, because the first photo counts under `photo`.
  ['more_photos', 10, ({ photos }) => Math.max(1, photos.length), 3],
  ['place', 10, ({ area }) => Number(area !== null)],
  ['gender', 10, ({ gender }) => Number(gender !== null)],
  ['interested_in', 5, ({ interested_in }) => interested_in.length],
  ['intents', 5, ({ intents }) => intents.length],
  ['bio', 10, ({ bio }) => bio.length, 40],
  ['prompts', 10, ({ prompts }) => prompts.length, 2],
  ['interests', 10, ({ interests }) => interests.length, 3],
  ['facts', 5, (row) => factsOf(row).filter(Boolean).length, 3],
  ['questions', 5, ({ sheet }) => (sheet === null ? 0 : readSheet(sheet).length), 10],
]

const factsOf = ({ height_cm, children, smoking, drinking, diet, languages }: OwnRow) => [
  height_cm,
  children,
  smoking,
  drinking,
  diet,
  languages.length > 0,
]

export function completenessOf(row: OwnRow): { percent: number; items: CompletenessItem[] } {
  const list = items.map(([item, weight, count, wanted = 1]) => {
    const missing = Math.max(0, wanted - count(row))
    return { item, weight, done: missing === 0, ...(wanted > 1 && { missing }) }
  })
  return { percent: list.reduce((sum, { done, weight }) => sum + (done ? weight : 0), 0), items: list }
}

export function isOnboarded(profile: { gender: unknown; located: boolean; images: readonly string[] }): boolean {
  return profile.gender !== null && profile.located && profile.images.length > 0
}
