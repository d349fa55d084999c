import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { interests, type Known, known, meeting, qualities, type Row, scorecard } from './columns.ts'

/** A person's answers from before the evening; NaN or '' where they didn't answer. */
export interface Dater {
  place: number
  age: number
  field: string
  career: string
  goal: string
  dates: number
  goesOut: number
  expects: number
  interests: number[]
  self: number[]
  /** The importance of each quality and of shared interests, as shares that add up to 1. */
  wishes: number[]
}

/** Two people who met. `said` has the man's decision and then the woman's. */
export interface Pair {
  people: readonly [man: Dater, woman: Dater]
  said: readonly [man: number, woman: number]
  match: number
  /** The man's ratings of the woman and hers of him, in the order of `scorecard`; NaN where missing. */
  cards: readonly [man: readonly number[], woman: readonly number[]]
  wave: number
  order: number
  interestCorrelation: number
}

export interface Evenings {
  sha256: string
  people: Dater[]
  pairs: Pair[]
  waves: number[]
}

const number = (text: string) => (text === '' ? Number.NaN : Number(text.replaceAll(',', '')))

function daterOf(row: Row, place: number): Dater {
  const value = (column: Known) => number(row[column])
  const wishes = [...qualities.map((quality) => value(`${quality}1_1`)), value('shar1_1')]
  const sum = wishes.reduce((total, wish) => total + (wish || 0), 0)
  return {
    place,
    age: value('age'),
    field: row.field_cd,
    career: row.career_c,
    goal: row.goal,
    dates: value('date'),
    goesOut: value('go_out'),
    expects: value('exphappy'),
    interests: interests.map(value),
    self: qualities.map((quality) => value(`${quality}3_1`)),
    wishes: wishes.map((wish) => (sum ? wish / sum : Number.NaN)),
  }
}

function readRows(bytes: Buffer): Row[] {
  const columns: readonly string[] = [...known, ...meeting, ...scorecard]
  const records = parse(bytes, { columns: true, encoding: 'latin1', bom: true }) as Record<string, string>[]
  return records.map((record) => Object.fromEntries(columns.map((column) => [column, record[column] ?? ''])) as Row)
}

/** Reads the speed-dating evenings of Fisman and Iyengar (2002 to 2004) from the widely circulated file. */
export function readEvenings(path: string): Evenings {
  const bytes = readFileSync(path)
  const rows = readRows(bytes)
  const people = new Map<string, Dater>()
  for (const row of rows) if (!people.has(row.iid)) people.set(row.iid, daterOf(row, people.size))
  const byPair = new Map(rows.map((row) => [`${row.iid} ${row.pid}`, row]))
  const pairs = rows.flatMap((row): Pair[] => {
    const back = byPair.get(`${row.pid} ${row.iid}`)
    const [man, woman] = [people.get(row.iid), people.get(row.pid)]
    if (row.gender !== '1' || !back || !man || !woman) return []
    const said = [Number(row.dec), Number(back.dec)] as const
    const cards = [
      scorecard.map((column) => number(row[column])),
      scorecard.map((column) => number(back[column])),
    ] as const
    const place = { wave: Number(row.wave), order: number(row.order), match: Number(row.match) }
    return [{ people: [man, woman], said, cards, interestCorrelation: number(row.int_corr), ...place }]
  })
  const waves = [...new Set(pairs.map(({ wave }) => wave))]
  return { sha256: createHash('sha256').update(bytes).digest('hex'), people: [...people.values()], pairs, waves }
}
