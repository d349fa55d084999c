import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from 'fast-check'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

type Compare = (one: never, other: never) => number
interface Known {
  file: string
  /** The comparator, as the file writes it. */
  text: string
  /** Rows as the list may hold them: equal keys, and keys that lack, among them. */
  rows: fc.Arbitrary<unknown>
  /** What the comparator takes from around it: values, or names of the same file. */
  around?: Record<string, unknown>
  /** Where it is, when it comes from another file. */
  from?: string
}

// Few different values, so that many are equal; what a double may be, but for NaN, which no column and no sum here is.
const few = fc.constantFrom(-2, -0.5, -0, 0, 0.25, 1, 3)
const ids = fc.constantFrom('a', 'b', 'c', 'ä', 'B')
const times = fc.constantFrom('2026-01-01T12:00:00.000Z', '2026-01-01T13:00:00+01:00', '2026-02-01T00:00:00Z')
const people = fc.record({ id: ids, rank: few })
const labels = fc.record({ label: ids })
const candidates = ['a', 'b', 'c', 'a', 'd'].map((id) => ({ id }))
const places = fc.nat(4)
const numeric = fc.integer({ min: -3, max: 3 })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const language = { i18n: { language: 'es' } }
const interests = new Set(['a', 'c'])
const chat = 'web/src/features/conversations/'
const messages = fc.record({ id: ids, seq: maybe(fc.constantFrom(1, 2, 3)) }, { requiredKeys: ['id'] })
const conversations = fc.record({
  lastMessage: fc.constant(null),
  lastAt: fc.option(times),
  unreadCount: fc.constant(0),
})
const byName = '(one, other) => one.label.localeCompare(other.label, i18n.language)'
const sharedFirst = '(a, b) => Number(interests.has(b)) - Number(interests.has(a))'
const byRank = 'other.rank - one.rank || (one.id < other.id ? -1 : Number(one.id > other.id))'

const known: Known[] = [
  { file: `${chat}chat/conversation-list.ts`, text: 'bySeq', rows: messages, from: `${chat}chat/messages.ts` },
  {
    file: `${chat}chat/conversation-order.ts`,
    text: 'byNewest',
    rows: conversations,
    from: `${chat}chat/conversation-order.ts`,
  },
  { file: `${chat}chat/messages.ts`, text: 'bySeq', rows: messages, from: `${chat}chat/messages.ts` },
  { file: `${chat}chat/outbox/unsent.ts`, text: 'bySeq', rows: messages, from: `${chat}chat/messages.ts` },
  { file: `${chat}chat/thread-joins.ts`, text: '(one, other) => one - other', rows: numeric },
  { file: `${chat}thread/use-thread-scroll.ts`, text: '(one, other) => one - other', rows: numeric },
  {
    file: 'web/src/features/notifications/notifications.api.ts',
    text: '(one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp)',
    rows: fc.record({ timestamp: times }),
  },
  { file: 'web/src/features/safety-centre/call-now.tsx', text: byName, rows: labels, around: language },
  { file: 'web/src/features/discovery/filters/wish-fields.tsx', text: byName, rows: labels, around: language },
  {
    file: 'web/src/features/profiles/languages-field.tsx',
    text: '(a, b) => compare(languageName(a, language), languageName(b, language))',
    rows: fc.constantFrom('de', 'en', 'es', 'ar', 'en'),
    around: {
      compare: new Intl.Collator('es').compare,
      languageName: (code: string) => new Intl.DisplayNames('es', { type: 'language' }).of(code),
      language: 'es',
    },
  },
  { file: 'web/src/features/discovery/deck/person-facts.tsx', text: sharedFirst, rows: ids, around: { interests } },
  { file: 'web/src/features/profiles/profile-page.tsx', text: sharedFirst, rows: ids, around: { interests } },
  {
    file: 'web/src/features/matching/weights.tsx',
    text: '(one, other) => Math.abs(other.weight) - Math.abs(one.weight)',
    rows: fc.record({ weight: few }),
  },
  {
    file: 'web/src/features/own-settings/find-settings.ts',
    text: '(one, other) => one.rank - other.rank',
    rows: people,
  },
  {
    file: 'web/src/features/questions/order.ts',
    text: '(a, b) => share(b) - share(a)',
    rows: people,
    around: { share: ({ rank }: { rank: number }) => rank },
  },
  {
    file: 'web/src/platform/toaster/toast-place.ts',
    text: '(a, b) => sharedWith(buttons, a) - sharedWith(buttons, b)',
    rows: people,
    around: { buttons: [], sharedWith: (_: unknown, { rank }: { rank: number }) => rank },
  },
  {
    file: 'web/src/features/likes/no-one.tsx',
    text: '(one, other) => other.weight - one.weight',
    rows: fc.record({ weight: few }),
  },
  {
    file: 'web/src/features/photos/use-order.ts',
    text: '(a, b) => wanted.indexOf(a.fileName) - wanted.indexOf(b.fileName)',
    rows: fc.record({ fileName: ids }),
    around: { wanted: ['b', 'a', 'a'] },
  },
  {
    file: 'web/src/features/insights/models-view.tsx',
    text: '([one], [other]) => placeOf(one) - placeOf(other)',
    rows: fc.tuple(ids, few),
    around: { placeOf: (name: string) => (name === 'b' ? 0 : 5) },
  },
  {
    file: 'server/src/platform/http/language.ts',
    text: '(one, other) => other.q - one.q',
    rows: fc.record({ q: few }),
  },
  { file: 'server/src/features/matching/deck.ts', text: 'byRank', rows: people },
  { file: 'server/src/features/matching/deck.ts', text: `(one, other) => ${byRank}`, rows: people },
  {
    file: 'server/src/features/matching/score.ts',
    text: '(one, other) => rank[other]! - rank[one]! || byId(candidates[one]!, candidates[other]!)',
    rows: places,
    around: { rank: [1, 1, 0, 1, -0], candidates, byId: 'byId' },
  },
  {
    file: 'server/src/features/matching/score.ts',
    text: '(one, other) => other.rank - one.rank || byId(one.candidate, other.candidate)',
    rows: fc.record({ rank: few, candidate: people }),
    around: { byId: 'byId' },
  },
  {
    file: 'server/src/features/matching/metrics.ts',
    text: '(one, other) => (scores[one] ?? 0) - (scores[other] ?? 0)',
    rows: places,
    around: { scores: [0.5, 0.5, -1] },
  },
  {
    file: 'server/src/features/matching/reasons.ts',
    text: '(one, two) => two.contribution - one.contribution || two.rarity - one.rarity',
    rows: fc.record({ contribution: few, rarity: few }),
  },
  {
    file: 'server/src/features/places/gazetteer.ts',
    text: '(a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)',
    rows: fc.record({ key: ids }),
  },
  {
    file: 'server/src/features/places/gazetteer.ts',
    text: '(a, b) => b.population - a.population || a.cityId - b.cityId',
    rows: fc.record({ population: few, cityId: few }),
  },
  {
    file: 'server/src/features/candidates/keep-index.ts',
    text: '([, one], [, other]) => other - one',
    rows: fc.tuple(few, few),
  },
  {
    file: 'server/src/platform/process/running-note.ts',
    text: '(one, other) => one.differing.length - other.differing.length',
    rows: fc.record({ differing: fc.array(few, { maxLength: 3 }) }),
  },
  {
    file: 'server/src/features/conversations/voice-mp4.ts',
    text: '([a], [b]) => a - b',
    rows: fc.tuple(few, few),
  },
  { file: 'server/src/features/discovery/pool.ts', text: '(a, b) => b.adds - a.adds', rows: fc.record({ adds: few }) },
  {
    file: 'server/src/features/data-rights/replay.ts',
    text: '(a, b) => Date.parse(a.notedAt) - Date.parse(b.notedAt)',
    rows: fc.record({ notedAt: times }),
  },
  {
    file: 'server/src/features/likes/pending.queries.ts',
    text: '(a, b) => (a.id < b.id ? -1 : Number(a.id > b.id))',
    rows: people,
  },
  {
    file: 'server/src/demo/demo.ts',
    text: '(a, b) => Number(b.id === guestId()) - Number(a.id === guestId())',
    rows: people,
    around: { guestId: () => 'a' },
  },
  {
    file: 'server/src/demo/likes.ts',
    text: '(a, b) => chance({ from: a, to: userId }) - chance({ from: b, to: userId })',
    rows: ids,
    around: { chance: ({ from }: { from: string }) => from.length % 2, userId: 'a' },
  },
  {
    file: 'server/src/features/data-rights/export-page.ts',
    text: '(a, b) => Number(a.row.seq) - Number(b.row.seq)',
    rows: fc.record({ row: fc.record({ seq: fc.constantFrom('1', '2', '10', 3) }) }),
  },
  { file: 'server/src/features/insights/insights.ts', text: '(a, b) => a - b', rows: few },
]

const isProduct = (path: string) =>
  /\.tsx?$/.test(path) && !/\.test[.-]|\.d\.ts$|\.stories\./.test(path) && !/(^|\/)test\//.test(path)
const sources = ['web/src', 'server/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => relative(root, join(root, folder, path)))
    .filter(isProduct),
)
const parse = (file: string) =>
  ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
const plain = (text: string) => text.replace(/\s+/g, ' ')

/** The comparators that a file sorts by. */
function sortsOf(file: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
    const [compare] = node.arguments
    if (compare && /^(sort|toSorted)$/.test(node.expression.name.text)) found.push(plain(compare.getText()))
  }
  visit(parse(file))
  return found
}

/** The text that a file gives a name at its top. */
function declared(file: string, name: string): string | undefined {
  for (const statement of parse(file).statements)
    if (ts.isVariableStatement(statement))
      for (const { name: given, initializer } of statement.declarationList.declarations)
        if (given.getText() === name) return initializer?.getText()
  return undefined
}

const run = (text: string, around: Record<string, unknown>): Compare => {
  const { outputText } = ts.transpileModule(`const made = ${text}`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  })
  return new Function(...Object.keys(around), `${outputText}; return made`)(...Object.values(around)) as Compare
}

async function compareOf({ file, text, around = {}, from }: Known): Promise<Compare> {
  if (from) return ((await import(pathToFileURL(join(root, from)).href)) as Record<string, Compare>)[text]!
  // A string is the name of something that the file declares.
  const values = Object.entries(around).map(([name, value]): [string, unknown] => {
    const made = name === value && declared(file, name)
    return [name, made ? run(made, {}) : value]
  })
  return run(declared(file, text) ?? text, Object.fromEntries(values))
}

/** What makes sorting give the same whatever order the rows came in. */
function expectStrictWeakOrder(compare: Compare, [a, b, c]: [never, never, never]): void {
  const sign = (one: never, other: never) => Math.sign(compare(one, other)) + 0
  expect(sign(a, a)).toBe(0)
  expect(sign(a, b)).toBe(-sign(b, a) + 0)
  if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBe(Math.min(sign(a, b), sign(b, c)))
}

describe('every order of a list', () => {
  it('is one that the property below looks at', { tags: 'long' }, () => {
    const found = sources.flatMap((file) => sortsOf(file).map((text) => `${file}: ${text}`))
    expect([...new Set(found)].sort()).toEqual(known.map(({ file, text }) => `${file}: ${text}`).sort())
  })

  it.each(known)('is a strict weak order, whatever the rows: $file, $text', async (one) => {
    const compare = await compareOf(one)
    fc.assert(
      fc.property(fc.tuple(one.rows, one.rows, one.rows), (rows) => expectStrictWeakOrder(compare, rows as never)),
    )
    // The same rows in any order sort to the same, but for those that are equal.
    const shuffles = fc
      .array(one.rows, { maxLength: 12 })
      .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })))
    fc.assert(
      fc.property(shuffles, ([rows, shuffled]) => {
        const [sorted, again] = [rows, shuffled].map((list) => (list as never[]).toSorted(compare))
        for (const [place, row] of sorted!.entries()) expect(compare(row, again![place]!) + 0).toBe(0)
      }),
    )
  })
})
