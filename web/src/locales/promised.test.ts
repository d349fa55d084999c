import { distanceFilters, limits } from '@duet/contract/limits.ts'
import { promised } from '@duet/contract/promised.ts'
import { rateLimits } from '@duet/contract/rate-limits.ts'
import { expect, test } from 'vitest'
import { languages } from '../platform/i18n.ts'
import { promisedIn } from './promised.ts'

const files = import.meta.glob<Record<string, unknown>>('./*/*.json', { eager: true, import: 'default' })

/** All texts in one file of a namespace by key, such as `data-rights:delete.text`. */
function textsOf(language: string, namespace: string): [string, string][] {
  const flat = (name: string, value: unknown): [string, string][] =>
    typeof value === 'string'
      ? [[name, value]]
      : Object.entries(value as object).flatMap(([key, child]) => flat(name ? `${name}.${key}` : key, child))
  return flat('', files[`./${language}/${namespace}.json`]).map(([key, text]) => [`${namespace}:${key}`, text])
}
const texts = (language: string) =>
  new Map(
    Object.keys(files).flatMap((path) => (path.startsWith(`./${language}/`) ? textsOf(language, nameOf(path)) : [])),
  )
const nameOf = (path: string) => (path.split('/')[2] ?? '').replace('.json', '')

/** Numbers that are not Duet's promises, or that a constant of the text's own feature covers. */
const others: Record<string, string[]> = {
  'safety-centre:now.elsewhereText': ['112'],
  'safety-centre:sections.sextortion.points.6': ['18'],
  'safety-centre:sections.others.points.4': [`${limits.adultAge}`],
  'safety-centre:see.rows.password.who': ['2'],
  'safety-centre:see.rows.place.who': ['2', ...distanceFilters.map(String)],
  'terms:who.text': [`${limits.adultAge}`],
  'standing:ground.underage': [`${limits.adultAge}`],
}

/** Texts that contain a number literally, and the constant that the number comes from. */
const written: [key: string, number: number][] = [
  ['dates:checkInHint', promised.checkInGraceMinutes],
  ['dates:wrong.when', promised.dateAheadDays],
  ['accounts:code.lead', promised.codeMinutes],
  ['accounts:access.codeSent', promised.codeMinutes],
  ['accounts:access.addressWhy', promised.addressUndoHours],
  ['accounts:undo.not_found', promised.addressUndoHours],
  ['reports:copies.past', promised.versionDays],
  ['thread:deleteText', promised.versionDays],
  ['own-settings:links.pastHint', promised.graceDays],
]

/** Texts about how often a job runs, and "once a day". */
const ofJobs = ['safety-centre:see.rows.code.long', 'data-rights:export.onceADay']

/** Matches times and numbers written as words, by language. */
const inWords: Record<(typeof languages)[number], RegExp> = {
  en: /\b(an?|one|two|three|six|seven|ten|twelve) (minutes?|hours?|days?|weeks?|months?|years?)\b/i,
  es: /\b(una?|dos|tres|seis|siete|diez|doce|medio) (minutos?|horas?|días?|semanas?|mes(es)?|años?)\b/i,
  ar: /(?<!\p{L})(أسبوع|أسبوعًا|سنة|سنتين|السنة|شهرين|يومين|يوم واحد)(?!\p{L})/u,
}

test.each(languages)(
  '%s: the safety centre, terms, standing and data pages promise no number that is not from the code',
  (language) => {
    for (const namespace of ['safety-centre', 'terms', 'standing', 'data-rights'])
      for (const [key, text] of textsOf(language, namespace)) {
        expect(text.match(/\d+/g) ?? [], key).toEqual(others[key] ?? [])
        if (!ofJobs.includes(key) && !text.includes('{{count}}')) expect(text, key).not.toMatch(inWords[language])
      }
  },
)

test.each(languages)('%s: every number to fill in has a name', (language) => {
  const names = Object.keys(promisedIn(language))
  for (const [key, text] of textsOf(language, 'safety-centre'))
    for (const [, name = ''] of text.matchAll(/\{\{(\w+)\}\}/g)) expect(names, key).toContain(name)
})

test.each(languages)('%s: literal numbers in texts equal those in the code', (language) => {
  const all = texts(language)
  for (const [key, number] of written) expect(all.get(key), key).toMatch(new RegExp(`(?<!\\d)${number}(?!\\d)`))
})

test('numbers written as words equal those in the code', () => {
  expect({ ...promised, datesADay: rateLimits.sharedDates.points }).toMatchObject({
    dateAfterHours: 24, // "a day after the date": dates:lead, dates:leadWith
    datesADay: 10, // "ten dates a day": dates:problem.rate_limited
    evidenceMessages: 10, // "up to ten before and after": reports:copies.message
    pastContactMonths: 12, // "the last twelve months": reports:past.lead
    selfieDays: 7, // "after seven days": verification:steps.gone
  })
})

test('numbers from the code are written with their units, in each language', () => {
  expect(promisedIn('en')).toMatchObject({ graceDays: '14 days', codeMinutes: '10 minutes', notifications: '200' })
  expect(promisedIn('es').reportMonths).toBe('12 meses')
  expect(promisedIn('ar').holdDays).toBe('7 أيام')
})

test('attempts by network are counted for no longer than promised', () => {
  const most = Object.values(rateLimits).map((limit) => ('by' in limit && limit.by === 'network' ? limit.seconds : 0))
  expect(Math.max(...most)).toBeLessThanOrEqual(promised.counterHours * 3_600)
})
