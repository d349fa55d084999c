import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { beginStatement, keepSpan } from '../tracing.ts'

/**
 * Names a statement, so that each connection prepares it only once: planning took three quarters of the time. Use a
 * fixed name for frequent statements that read by key, unless the best plan depends on the values (decision 008).
 */
export const named = (name: string): RawBuilder<unknown> => sql.raw(`/* ${name} */`)

const nameIn = /^\s*\/\* ([a-z-]+) \*\//

export interface TimedConfig extends pg.ClientConfig {
  /**
   * Must be off behind a pooler that moves transactions between connections and doesn't support prepared statements.
   */
  prepares?: boolean
  onStatement?: (name: string, seconds: number) => void
}

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
 * Runs the callback in the trace span of the code that waits for the connection. Ignores a second release:
 * graphile-worker releases twice if the database goes away while it stops listening, and the error would end the
 * process.
 */
export class NamedPool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: one of two overloads.
  override connect(callback?: any): any {
    return callback ? super.connect(keepSpan(backOnce(callback))) : super.connect()
  }
}
