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

/** A connection that prepares the statements that have a name. */
export class NamedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: one of many overloads.
  override query(asked: any, values?: any, callback?: any): any {
    const name = typeof asked === 'string' && Array.isArray(values) ? nameIn.exec(asked)?.[1] : undefined
    return name === undefined
      ? super.query(asked, values, callback)
      : super.query({ name, text: asked, values }, callback as never)
  }
}
