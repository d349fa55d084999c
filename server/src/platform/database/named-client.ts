import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { beginStatement, keepSpan } from '../tracing.ts'

/**
 * Begins a statement with its name. A connection prepares it the first time: its text is parsed and sent once, and after
 * five times the database may keep one plan for all values. Three quarters of its time was planning. Name what is asked
 * all the time, has one text whatever its values (lists are arrays) and reads by key; a plan that depends on the values is
 * better made for them (decision 008).
 */
export const named = (name: string): RawBuilder<unknown> => sql.raw(`/* ${name} */`)

const nameIn = /^\s*\/\* ([a-z-]+) \*\//

/** How a connection is made, and who hears how long its statements that have a name took, in seconds. */
export interface TimedConfig extends pg.ClientConfig {
  /** Off behind a pooler that hands each transaction to another connection and knows no prepared statements. */
  prepares?: boolean
  onStatement?: (name: string, seconds: number) => void
}

/** A connection that prepares the statements that have a name, unless it is told not to. */
export class NamedClient extends pg.Client {
  readonly #onStatement: TimedConfig['onStatement']
  readonly #prepares: boolean

  constructor(config?: TimedConfig) {
    super(config)
    this.#onStatement = config?.onStatement
    this.#prepares = config?.prepares !== false
  }

  // biome-ignore lint/suspicious/noExplicitAny: one of many overloads.
  override query(asked: any, values?: any, callback?: any): any {
    const name =
      typeof asked === 'string' ? Array.isArray(values) && nameIn.exec(asked)?.[1] : !asked?.submit && asked?.name
    if (!name) return super.query(asked, values, callback)
    const whole = typeof asked === 'string' ? { name, text: asked, values } : asked
    const query = this.#prepares ? whole : { ...whole, name: undefined }
    const done = callback ?? (typeof values === 'function' ? values : undefined)
    const began = performance.now()
    const end = beginStatement(name)
    const note = (error?: unknown) => {
      this.#onStatement?.(name, (performance.now() - began) / 1000)
      end(error)
    }
    if (done)
      return super.query(query, (error: Error, result: pg.QueryResult) => {
        note(error)
        done(error, result)
      })
    const answer = super.query(query) as unknown as Promise<unknown>
    answer.then(() => note(), note)
    return answer
  }
}

type Taken = (error?: Error, client?: pg.PoolClient, done?: (error?: Error) => void) => void

/** Gives a connection back once, however often it is asked to. */
const backOnce =
  (taken: Taken): Taken =>
  (error, client, done) => {
    let isBack = false
    taken(error, client, (reason) => {
      if (isBack) return
      isBack = true
      done?.(reason)
    })
  }

/**
 * Connections whose statements are part of what asked for them, also where that waited for one. What takes one with a
 * callback may give it back twice: graphile-worker does when the database goes as it stops listening, where no one hears
 * of what is thrown, and the process would end.
 */
export class NamedPool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: one of two overloads.
  override connect(callback?: any): any {
    return callback ? super.connect(keepSpan(backOnce(callback))) : super.connect()
  }
}
