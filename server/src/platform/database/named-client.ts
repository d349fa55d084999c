import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'

/**
 * Begins a statement with its name. A connection prepares it the first time: its text is parsed and sent once, and after
 * five times the database may keep one plan for all values. Three quarters of its time was planning. Name what is asked
 * all the time, has one text whatever its values (lists are arrays) and reads by key; a plan that depends on the values is
 * better made for them (decision 077).
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
    const note = () => this.#onStatement?.(name, (performance.now() - began) / 1000)
    if (done)
      return super.query(query, (error: Error, result: pg.QueryResult) => {
        note()
        done(error, result)
      })
    const answer = super.query(query) as unknown as Promise<unknown>
    answer.then(note, note)
    return answer
  }
}
