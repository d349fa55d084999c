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

  test.each(namespaces)(`${language}/%s tells apart what stands side by side in English`, (namespace) => {
    const english = textsOf('en', namespace)
    const texts = [...textsOf(language, namespace)].filter(([key]) => english.has(key) && !pluralSuffix.test(key))
    const placeOf = (key: string) => key.slice(0, key.lastIndexOf('.'))
    const same = texts.filter(([key, text]) =>
      texts.some(
        ([other, its]) => its === text && placeOf(other) === placeOf(key) && english.get(other) !== english.get(key),
      ),
    )
    expect(same).toEqual([])
  })
}

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!**/*.test.*', '!./**'], {
  eager: true,
  query: '?raw',
  import: 'default',
})
const code = Object.values(sources).join('\n')
const written = new Set([...code.matchAll(/['"`](?:[\w-]+:)?([\w.]+)['"`]/g)].map(([, key]) => key))
const groups = new Set([...code.matchAll(/'([\w.]+)', \{ returnObjects: true \}/g)].map(([, key = '']) => key))
/** What stands before what is filled in, as in `deck.said.${decision}`, and behind it, as in `${part}.title`. */
const starts = [...`${code} ${JSON.stringify(files)}`.matchAll(/[`(](?:[\w-]+:)?([\w.]{3,})(?:\$\{|\{\{)/g)].map(
  ([, start = '']) => start,
)
const ends = [...code.matchAll(/`(?:[\w-]+:)?\$\{\w+\}([\w.]{3,})/g)].map(([, end = '']) => end)

function isUsed(key: string): boolean {
  const plain = key.replace(pluralSuffix, '').replace(/_open$/, '')
  if (written.has(plain) || groups.has(plain.slice(0, plain.lastIndexOf('.')))) return true
  return starts.some((start) => plain.startsWith(start)) || ends.some((end) => plain.slice(1).includes(end))
}

test.each(namespaces)('every text of %s is used', (namespace) => {
  expect([...textsOf('en', namespace).keys()].filter((key) => !isUsed(key))).toEqual([])
})
