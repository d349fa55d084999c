import { foldedText } from '@duet/contract/folded-text.ts'
import { by } from '@duet/contract/order.ts'
import type { TFunction } from 'i18next'
import { type Setting, settings } from './sections.ts'

/** The texts that settings are called by, to be loaded before one looks for them. */
export const namesOfSettings = [...new Set(settings.flatMap(({ label, words }) => [label, ...words]))]
  .map((key) => key.slice(0, key.indexOf(':')))
  .filter((namespace, place, all) => all.indexOf(namespace) === place)

/**
 * Settings in whose texts every word of the query stands, in the language of `t`: those that are called so first, then
 * those of a section that is, then those that only mention it.
 */
export function findSettings(query: string, t: TFunction): Setting[] {
  const wanted = foldedText(query).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  const says = (text: string) => wanted.every((word) => text.includes(word))
  const found = settings.map((setting) => {
    const label = foldedText(t(setting.label))
    const named = `${label} ${foldedText(t(`own-settings:sections.${setting.section}.title`))}`
    const all = [named, ...setting.words.map((key) => foldedText(t(key)))].join(' ')
    return { setting, rank: says(label) ? 0 : says(named) ? 1 : says(all) ? 2 : 3 }
  })
  return found
    .filter(({ rank }) => rank < 3)
    .sort(by(({ rank }) => rank))
    .map(({ setting }) => setting)
}
