import type { TFunction } from 'i18next'
import { type Setting, settings } from './sections.ts'

/** The texts that settings are called by, to be loaded before one looks for them. */
export const namesOfSettings = [...new Set(settings.flatMap(({ label, words }) => [label, ...words]))]
  .map((key) => key.slice(0, key.indexOf(':')))
  .filter((namespace, place, all) => all.indexOf(namespace) === place)

/** Without case and without the marks over and under letters, which people leave out when they search. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * Settings in whose texts every word of the query stands, in the language of `t`: those that are called so first, then
 * those of a section that is, then those that only mention it.
 */
export function findSettings(query: string, t: TFunction): Setting[] {
  const wanted = plain(query).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  const says = (text: string) => wanted.every((word) => text.includes(word))
  const found = settings.map((setting) => {
    const label = plain(t(setting.label))
    const named = `${label} ${plain(t(`own-settings:sections.${setting.section}.title`))}`
    const all = [named, ...setting.words.map((key) => plain(t(key)))].join(' ')
    return { setting, rank: says(label) ? 0 : says(named) ? 1 : says(all) ? 2 : 3 }
  })
  return found
    .filter(({ rank }) => rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map(({ setting }) => setting)
}
