/** What would break the nodes that still run the version before, or keep them waiting for as long as a table is big. */
const dangers: [RegExp, string][] = [
  [/^create (or replace )?(function|procedure|view|(constraint )?trigger)\b/, 'belongs in server/database/functions'],
  [/^drop (table|view|materialized view|function|procedure|type|domain)\b/, 'removes what an old node uses'],
  [/^alter table\b.*\bdrop column\b/, 'removes what an old node uses'],
  [/^alter\b.*\brename\b/, 'renames what an old node uses'],
  [
    /^alter table\b.*\balter( column)? \w+ (set data )?type\b/,
    'writes the table anew, and changes what old nodes read',
  ],
  [/^alter table\b.*\bset not null\b/, 'reads the whole table under a lock, and refuses what old nodes write'],
  [
    /^alter table\b.*\badd( column)? (?!constraint|check|foreign|unique|primary)(?=.*\bnot null\b)(?!.*\bdefault\b)/,
    'refuses what old nodes write',
  ],
  [
    /^alter table\b.*\badd (constraint|check|foreign key|unique|primary key)\b(?!.*\bnot valid\b)/,
    'reads the whole table under a lock',
  ],
  [/^create (unique )?index\b(?! concurrently)/, 'stops all writing for as long as the table is big'],
  [/^(update|delete from|truncate|cluster|vacuum full|lock table)\b/, 'touches a whole table in one transaction'],
]

/** Written before a statement that is dangerous in general, with why this one is not, or not since which version. */
const mark = /^\s*-- Rolling update: \S|^-- Needs Duet [\d.rc-]+: \S/m
/** Written before one that takes something away: since which version of Duet none uses it, and what they use instead. */
const need = /^-- Needs Duet [\d.rc-]+: \S/m

/** The statements of a file, without the bodies of functions, each with the line comments before it. */
export function statementsOf(text: string): string[] {
  const bodiless = text.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$$$').replace(/\/\*[\s\S]*?\*\//g, '')
  return bodiless.replace(/--.*$/gm, (comment) => comment.replaceAll(';', ',')).split(';')
}

export const bare = (statement: string) => statement.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim().toLowerCase()

const tableOf = (statement: string) =>
  /^(?:alter table(?: if exists)?(?: only)?|create (?:unique )?index.*? on(?: only)?|update|delete from|truncate(?: table)?|lock table) (\w+)/.exec(
    statement,
  )?.[1] ?? ''

const replaceable = /^create or replace (function|view|trigger)\b|^(grant|revoke) execute on function\b/
const removal = /^drop (function|view|trigger) if exists\b/

/** What a file of functions must not hold, one line each: all of it runs again whenever anything in the file has changed. */
export function faultsInFunctions(text: string): string[] {
  const others = statementsOf(text).filter((statement) => {
    const plain = bare(statement)
    return plain !== '' && !replaceable.test(plain) && !(removal.test(plain) && need.test(statement))
  })
  return others.map((statement) => bare(statement).slice(0, 80))
}

const concurrent = /^(create (?:unique )?index|drop index) concurrently (?:if exists )?(\w+)/

/** What is wrong in a migration of indexes that are made beside writers: it runs without a transaction, and may run again. */
function dangersBeside(statements: readonly string[]): string[] {
  return statements.flatMap((text, place) => {
    const [, what, name] = concurrent.exec(text) ?? []
    if (!what) return [`${text.slice(0, 80)}: belongs in a migration with a transaction`]
    const begins = what === 'drop index' || statements[place - 1] === `drop index concurrently if exists ${name}`
    return begins ? [] : [`${text.slice(0, 80)}: has to drop what a try before has left of ${name}`]
  })
}

/** What in a migration is dangerous while nodes are replaced one after the other, one line each; tables of its own are not. */
export function dangersIn(migration: string): string[] {
  const statements = statementsOf(migration).filter((one) => bare(one) !== '')
  if (statements.some((one) => concurrent.test(bare(one)))) return dangersBeside(statements.map(bare))
  const made = new Set(statements.flatMap((one) => /^create table (?:if not exists )?(\w+)/.exec(bare(one))?.[1] ?? []))
  return statements.flatMap((statement) => {
    const text = bare(statement)
    if (mark.test(statement) || made.has(tableOf(text))) return []
    const [, why] = dangers.find(([pattern]) => pattern.test(text)) ?? []
    return why ? [`${text.slice(0, 80)}: ${why}`] : []
  })
}
