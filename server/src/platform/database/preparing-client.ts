import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { upTo } from '../up-to.ts'

/** Texts that were asked lately, with the names they are prepared under from the second time on. */
const names = new LRUCache<string, string>(upTo(1_000))

function nameOf(text: string): string | undefined {
  const name = names.get(text)
  if (name === undefined) names.set(text, createHash('sha256').update(text).digest('base64url'))
  return name
}

/** What is asked, with a name when it has parameters and was asked before. */
function prepared(asked: unknown, values: unknown): pg.QueryConfig | undefined {
  const config = (typeof asked === 'string' ? { text: asked, values } : asked) as pg.QueryConfig &
    Partial<pg.Submittable>
  if (config.submit || !Array.isArray(config.values) || config.values.length === 0) return undefined
  const name = config.name ?? nameOf(config.text)
  return name === undefined ? undefined : { ...config, name }
}

/**
 * A connection that prepares what is asked for more than once: the database plans such a statement a few times and then
 * keeps the plan, and its text is not sent again. Three quarters of its time was planning.
 */
export class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: one of many overloads.
  override query(asked: any, values?: any, callback?: any): any {
    const config = prepared(asked, values)
    if (!config) return super.query(asked, values, callback)
    return super.query(config, (typeof values === 'function' ? values : callback) as never)
  }
}
