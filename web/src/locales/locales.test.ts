import { expect, test } from 'vitest'
import { languages } from '../platform/i18n.ts'

const files = import.meta.glob<Record<string, unknown>>('./*/*.json', { eager: true, import: 'default' })
const namespaces = [...new Set(Object.keys(files).map((path) => path.split('/')[2]))]

/** `time.hoursAgo_one` → text, for every text of a file. */
function flatten(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]])
  const entries = Object.entries(value as Record<string, unknown>)
  return new Map(entries.flatMap(([key, child]) => [...flatten(child, path ? `${path}.${key}` : key)]))
}

const pluralSuffix = /_(zero|one|two|few|many|other)$/
const textsOf = (language: string, namespace = '') => flatten(files[`./${language}/${namespace}`] ?? {})
const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}|<\/?\w+>/g)].map(([match]) => match).sort()

/** The keys a language needs for what English says: one for each of its plural forms. */
function wantedKeys(english: Map<string, string>, language: string): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const wanted = [...english.keys()].flatMap((key) =>
    pluralSuffix.test(key) ? forms.map((form) => key.replace(pluralSuffix, `_${form}`)) : [key],
  )
  return [...new Set(wanted)].sort()
}

for (const language of languages) {
  test.each(namespaces)(`${language}/%s says everything that English says, in every plural form`, (namespace) => {
    const texts = textsOf(language, namespace)
    expect([...texts.keys()].sort()).toEqual(wantedKeys(textsOf('en', namespace), language))
    for (const [key, text] of texts) expect(text.trim(), key).not.toBe('')
  })

  test.each(namespaces)(`${language}/%s fills in the same names and numbers as English`, (namespace) => {
    const english = textsOf('en', namespace)
    for (const [key, text] of textsOf(language, namespace)) {
      if (pluralSuffix.test(key)) continue
      expect(placeholders(text), key).toEqual(placeholders(english.get(key) ?? ''))
    }
  })
}
