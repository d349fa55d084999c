import { foldedText } from '@duet/contract/folded-text.ts'
import { by } from '@duet/contract/order.ts'
import type { TFunction } from 'i18next'
import { type Setting, settings } from './sections.ts'

export const namesOfSettings = [...new Set(settings.flatMap(({ label, words }) => [label, ...words]))]
  .map((key) => key.slice(0, key.indexOf(':')))
  .filter((namespace, place, all) => all.indexOf(namespace) === place)

/**
 * Returns the settings whose texts, in the language of `t`, contain every word of the query. Matches in the setting's
 * name come first, then matches in its section's name, then matches in other texts.
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
