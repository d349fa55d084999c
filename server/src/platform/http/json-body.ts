import type { FastifyInstance } from 'fastify'
import { malformed } from '../errors.ts'

/** Where the string that begins at a place ends: at the next quote without a backslash. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** The names in JSON that was read already, so that every string ends: what comes before a colon is one. */
function namesIn(text: string): number {
  let names = 0
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', start)) {
    start = endOfString(text, start) + 1
    while (' \t\r\n'.includes(text[start] ?? '-')) start += 1
    if (text[start] === ':') names += 1
  }
  return names
}

function namesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + namesOf(item), 0)
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + namesOf(item), 0)
}

/**
 * Takes JSON bodies as Fastify does, and refuses those with a name twice in one object: parsers differ in which of the
 * two they read. Fewer names that were kept than written say so; that costs a microsecond for what people send.
 */
export function takeJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    // biome-ignore lint/nursery/noFloatingPromises: Fastify's own parser answers through the callback.
    parse(request, text, (error, value) => {
      if (error || namesIn(text) === namesOf(value)) return done(error, value)
      done(malformed('A name is in the body twice.'))
    })
  })
}
