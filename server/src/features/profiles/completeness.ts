import type { CompletenessItem } from '@duet/contract/profiles.ts'
import { readSheet } from '../questions/questions.ts'
import type { OwnRow } from './profiles.queries.ts'

/** What makes a profile whole, with the share each brings in percent; the shares add up to 100. */
const items: [CompletenessItem['item'], number, (row: OwnRow) => boolean][] = [
  ['photo', 20, ({ photos }) => photos.length >= 1],
  ['more_photos', 10, ({ photos }) => photos.length >= 3],
  ['place', 10, ({ area }) => area !== null],
  ['gender', 10, ({ gender }) => gender !== null],
  ['interested_in', 5, ({ interested_in }) => interested_in.length > 0],
  ['intents', 5, ({ intents }) => intents.length > 0],
  ['bio', 10, ({ bio }) => bio.length >= 40],
  ['prompts', 10, ({ prompts }) => prompts.length >= 2],
  ['interests', 10, ({ interests }) => interests.length >= 3],
  ['facts', 5, (row) => factsOf(row).filter(Boolean).length >= 3],
  ['questions', 5, ({ sheet }) => sheet !== null && readSheet(sheet).length >= 10],
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
  const list = items.map(([item, weight, isDone]) => ({ item, weight, done: isDone(row) }))
  return { percent: list.reduce((sum, { done, weight }) => sum + (done ? weight : 0), 0), items: list }
}

/** Whether sign-up is over: the person can be found and recognised. */
export function isOnboarded(profile: { gender: unknown; located: boolean; images: readonly string[] }): boolean {
  return profile.gender !== null && profile.located && profile.images.length > 0
}
