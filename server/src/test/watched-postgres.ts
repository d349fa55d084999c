import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { addKeys, countOf, type Keys, noKeys, type PlanNode } from './plan-keys.ts'

/** Where Debian keeps its versions of PostgreSQL, which have auto_explain; ours does not. */
const versions = '/usr/lib/postgresql'

/*
 * Every statement is planned for its own values, and tells its plan: also those in functions, triggers and foreign keys.
 * What is looked up is looked up by its index, as where tables are large.
 */
const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_verbose': 'on',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  plan_cache_mode: 'force_custom_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_rotation_size: '0',
  log_rotation_age: '0',
  max_connections: '200',
  fsync: 'off',
  listen_addresses: '',
}

/** One statement of a client. */
export interface Watched {
  text: string
  keys: Keys
}

interface Line {
  message: string
  session_id: string
  /** Where it was run: nothing for what a client sent. */
  context?: string
}

export interface WatchedPostgres {
  config: { host: string; user: string; database: string }
  /** Plans anew for each values, whatever functions ask for: call it once the schema is there. */
  open(): Promise<void>
  /** The statements that clients sent while `work` was done, other than those that touched no table that is spread. */
  watch(work: () => Promise<unknown>): Promise<Watched[]>
  stop(): Promise<void>
}

function statementsOf(lines: readonly Line[], numberOf: (table: string, column: string) => number): Watched[] {
  const open = new Map<string, Keys>()
  const statements: Watched[] = []
  for (const { message, session_id: session, context } of lines) {
    const start = message.indexOf('{')
    if (!/^duration: .* plan:/.test(message)) continue
    const told = JSON.parse(message.slice(start)) as { 'Query Text': string; Plan: PlanNode }
    const keys = open.get(session) ?? noKeys()
    open.set(session, keys)
    addKeys(told.Plan, keys, numberOf)
    // What a statement calls has told its plan before it does.
    if (context) continue
    open.delete(session)
    if (countOf(keys, 1) > 0) statements.push({ text: told['Query Text'].replace(/\s+/g, ' ').trim(), keys })
  }
  return statements
}

const columnNumbers = `select attrelid::regclass::text as table, attname as column, attnum::int as number from pg_attribute
  where attnum > 0 and attrelid in (select oid from pg_class where relkind in ('r', 'p'))`

const resetPlans = `select format('alter function %s reset plan_cache_mode', oid::regprocedure) as command from pg_proc
  where exists (select from unnest(proconfig) setting where setting like 'plan_cache_mode=%')`

/** As root it runs as the user `postgres`. Returns how to end it. */
function startServer(folder: string): () => void {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const runAs = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (runAs.uid) chownSync(folder, runAs.uid, runAs.gid)
  const newest = Math.max(...readdirSync(versions).map(Number))
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(versions, String(newest), 'bin', program), ['-D', join(folder, 'data'), ...args], {
      ...{ cwd: folder, ...runAs, stdio: ['ignore', 'ignore', 'pipe'] },
    })
  run('initdb', '-U', 'duet', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C')
  const options = Object.entries({ ...settings, unix_socket_directories: folder })
  const written = options.map(([name, value]) => `-c ${name}=${value}`).join(' ')
  run('pg_ctl', '-w', '-l', join(folder, 'start.log'), '-o', written, 'start')
  return () => {
    run('pg_ctl', '-m', 'immediate', '-w', 'stop')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A PostgreSQL of Debian's that tells which keys each statement touched. */
export async function startWatchedPostgres(): Promise<WatchedPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'duet-watched-'))
  const stop = startServer(folder)
  const config = { host: folder, user: 'duet', database: 'postgres' }
  const owner = new pg.Client(config)
  await owner.connect()
  const logs = join(folder, 'data/log')
  let read = 0
  let marks = 0
  /** What was logged since the last call, once everything is written that was logged before this one. */
  async function newLines(): Promise<Line[]> {
    marks += 1
    const mark = `mark ${marks}`
    await owner.query(`select '${mark}'`)
    for (;;) {
      const file = readdirSync(logs).find((name) => name.endsWith('.json')) ?? ''
      const text = readFileSync(join(logs, file), 'utf8').slice(read)
      if (text.includes(mark) && text.endsWith('\n')) {
        read += text.length
        return text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Line)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const numbers = new Map<string, number>()
  return {
    config,
    async open() {
      const { rows: commands } = await owner.query<{ command: string }>(resetPlans)
      for (const { command } of commands) await owner.query(command)
      const { rows } = await owner.query<{ table: string; column: string; number: number }>(columnNumbers)
      for (const { table, column, number } of rows) numbers.set(`${table}.${column}`, number)
    },
    async watch(work) {
      await newLines()
      await work()
      return statementsOf(await newLines(), (table, column) => numbers.get(`${table}.${column}`) ?? 0)
    },
    async stop() {
      await owner.end()
      stop()
    },
  }
}
