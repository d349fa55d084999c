import { distanceFilters, limits } from '@duet/contract/limits.ts'
import type { MatchingRules } from '@duet/contract/matching.ts'

type Values = Record<string, string | number>

export const ruleParts = [
  'match',
  'who',
  'order',
  'room',
  'explore',
  'newcomers',
  'questions',
  'reasons',
  'never',
  'training',
  'learned',
  'distance',
  'today',
  'control',
] as const
export type RulePartName = (typeof ruleParts)[number]

function writer(locale: string) {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  const list = new Intl.ListFormat(locale, { type: 'disjunction' })
  return {
    number: (value: number) => number.format(value),
    percent: (value: number) => percent.format(value),
    list: (values: readonly number[]) => list.format(values.map((value) => number.format(value))),
  }
}

/**
 * The values used in the sentences of each part. If the server doesn't send a constant, its value is omitted, and the
 * sentences that need it aren't shown.
 */
export function ruleValues({ constants, dailyLikes }: MatchingRules, locale: string): Record<RulePartName, Values> {
  const { number, percent, list } = writer(locale)
  const plain = (...names: string[]): Values =>
    Object.fromEntries(names.flatMap((name) => (name in constants ? [[name, number(constants[name] ?? 0)]] : [])))
  const made = (name: string, from: string, make: (value: number) => string): Values => {
    const value = constants[from]
    return value === undefined ? {} : { [name]: make(value) }
  }
  // How much of the probability remains when twice the usual number of likes is waiting. The penalty is ln(1 + waiting
  // / usual).
  const room = made('left', 'congestionWeight', (weight) => percent(3 ** -weight))
  const absence = made('aDay', 'inactivityPerDay', (cost) => percent(1 - Math.exp(-cost)))
  return {
    match: {},
    who: {},
    order: {
      ...absence,
      ...plain('inactivityDaysMost', 'answeredADay'),
      ...made('answeredBeyond', 'answeredBeyond', percent),
      ...made('afterPass', 'secondThoughts', percent),
    },
    room,
    explore: plain('exploreSlots', 'receivedSlots', 'blockSize'),
    newcomers: { ...plain('newcomerHours', 'newcomerImpressions'), ...made('share', 'newcomerShare', percent) },
    questions: plain('littleWeight', 'somewhatWeight', 'veryWeight', 'questionsLeast'),
    reasons: plain('reasonsMost'),
    never: {},
    training: { ...plain('trainingDays', 'validationDays'), ...made('words', 'wordsWeight', number) },
    learned: {
      ...made('factor', 'receivesLimit', (limit) => number(Math.exp(limit))),
      ...made('expected', 'expectedMost', (limit) => percent(Math.exp(limit) - 1)),
      undoMinutes: number(limits.undoMinutes),
    },
    distance: { steps: list(distanceFilters) },
    today: { ...(dailyLikes !== null && { likes: number(dailyLikes) }), undoMinutes: number(limits.undoMinutes) },
    control: {},
  }
}

export const isSayable = (sentence: string, values: Values): boolean =>
  [...sentence.matchAll(/\{\{(\w+)\}\}/g)].every(([, name = '']) => name in values)
