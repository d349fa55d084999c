/**
 * Statements that would break nodes still running the previous version, or block them for a time proportional to a
 * table's size.
 */
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

/**
 * A comment that must precede a generally dangerous statement: it explains why this one is safe, or since which
 * version.
 */
const mark = /^\s*-- Rolling update: \S|^-- Needs Duet [\d.rc-]+: \S/m
/**
 * A comment that must precede a removal: it names the version since which Duet no longer uses the object, and its
 * replacement.
 */
const need = /^-- Needs Duet [\d.rc-]+: \S/m

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

/** Finds statements that a function file may not contain, because the whole file runs again whenever it changes. */
export function faultsInFunctions(text: string): string[] {
  const others = statementsOf(text).filter((statement) => {
    const plain = bare(statement)
    return plain !== '' && !replaceable.test(plain) && !(removal.test(plain) && need.test(statement))
  })
  return others.map((statement) => bare(statement).slice(0, 80))
}

const concurrent = /^(create (?:unique )?index|drop index) concurrently (?:if exists )?(\w+)/

/**
 * Finds faults of a migration that creates indexes concurrently, which runs without a transaction and may be repeated.
 */
function dangersBeside(statements: readonly string[]): string[] {
  return statements.flatMap((text, place) => {
    const [, what, name] = concurrent.exec(text) ?? []
    if (!what) return [`${text.slice(0, 80)}: belongs in a migration with a transaction`]
    const begins = what === 'drop index' || statements[place - 1] === `drop index concurrently if exists ${name}`
    return begins ? [] : [`${text.slice(0, 80)}: has to drop what a try before has left of ${name}`]
  })
}

/** Finds statements that are dangerous during a rolling update, except on tables that the migration creates itself. */
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
