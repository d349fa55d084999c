import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod'

/** Existing values for fields, keyed by field name, so that some requests get past validation. */
export type Known = Record<string, readonly unknown[]>

interface Json {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Json[]
  oneOf?: Json[]
  allOf?: Json[]
  properties?: Record<string, Json>
  required?: string[]
  items?: Json
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
}

const weird: unknown[] = [
  ...[null, true, -1, 0, 0.5, 1e308, 2 ** 53, '', ' ', '\u0000', '\ud800', '\u202e', "' or 1=1 --", '%', '_', '\\'],
  ...['../../etc/passwd', 'x'.repeat(3_000), '9'.repeat(400), [], {}, [[[]]], { toString: 1 }, 'null', '{}'],
]

/** Arbitrary JSON values, mostly unusual ones. */
const anything: Arbitrary<unknown> = fc.oneof(fc.constantFrom(...weird), fc.jsonValue({ maxDepth: 3 }))

/** Ordinary words, and text that has a special meaning to programs that may process it later. */
const loaded = [
  ...[
    'ex-wife',
    'e-mail',
    "O'Neil",
    'a & b',
    '(',
    '[a-',
    '\\',
    '*',
    '?',
    '$&',
    '%s',
    '{{name}}',
    '<b>',
    '=1+1',
    '&#0;',
  ],
  ...[
    'https://a.example',
    'to: b@a.example',
    '／',
    '－',
    '﹣',
    'İ',
    'ﬁ',
    '\u200b',
    'a\nb',
    'null',
    'true',
    '0',
    'constructor',
  ],
]

function texts({ format, minLength = 0, maxLength = 60 }: Json): Arbitrary<unknown> {
  if (format === 'idn-email') return fc.emailAddress()
  if (format === 'date')
    return fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString().slice(0, 10))
  if (format === 'uuid') return fc.uuid()
  const made = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 60) })
  const fitting = loaded.filter(({ length }) => length >= minLength && length <= maxLength)
  return fitting.length > 0 ? fc.oneof({ weight: 2, arbitrary: made }, fc.constantFrom(...fitting)) : made
}

/** Examples for patterns with character classes, for which no examples can be generated. */
function patterned(pattern: string): Arbitrary<unknown> {
  if (pattern.includes('Emoji')) return fc.constantFrom('👍', '🇵🇹', '👩‍👩‍👧', '❤️')
  return pattern.includes('\\p')
    ? fc.string({ minLength: 1, maxLength: 40 })
    : fc.stringMatching(new RegExp(pattern, 'u'))
}

/** Values that satisfy a JSON schema, as far as the schema can express the rules. */
function fitting(schema: Json, known: Known, name = ''): Arbitrary<unknown> {
  const inner = (part: Json, key = name) => fitting(part, known, key)
  const there = known[name]
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => inner(choice)))
  if (schema.allOf) return inner(Object.assign({}, ...schema.allOf) as Json)
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [] } = schema
      const fields = Object.entries(properties).map(([key, part]): [string, Arbitrary<unknown>] => [
        key,
        inner(part, key),
      ])
      return fc.record(Object.fromEntries(fields), { requiredKeys: required })
    }
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, (schema.minItems ?? 0) + 5),
      })
    case 'string': {
      const made = schema.pattern && !schema.format ? patterned(schema.pattern) : texts(schema)
      return there ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...there) }, made) : made
    }
    case 'integer':
    case 'number': {
      const [min, max] = [schema.minimum ?? -1_000, schema.maximum ?? 1_000]
      const whole = fc.integer({ min: Math.ceil(Math.max(min, -(2 ** 31))), max: Math.floor(Math.min(max, 2 ** 31)) })
      const made = schema.type === 'integer' ? whole : fc.oneof(whole, fc.double({ min, max, noNaN: true }))
      return there ? fc.oneof(fc.constantFrom(...there), made) : made
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return there ? fc.constantFrom(...there) : anything
  }
}

const odd = ['__proto__', 'constructor', 'isSuperAdmin', 'id', 'email', 'userId', '']

/** Values that are valid except for one fault: a missing, mistyped or unknown field. */
function broken(valid: Arbitrary<unknown>): Arbitrary<unknown> {
  const change = fc.record({ how: fc.constantFrom('lose', 'replace', 'add', 'all'), at: fc.nat(), value: anything })
  return fc.tuple(valid, change, fc.constantFrom(...odd)).map(([value, { how, at, value: other }, name]) => {
    if (how === 'all' || typeof value !== 'object' || value === null) return other
    const entries = Object.entries(value)
    const place = entries.length > 0 ? at % entries.length : 0
    if (how === 'lose') entries.splice(place, 1)
    else if (how === 'add' || entries.length === 0) entries.push([name, other])
    else entries[place] = [entries[place]?.[0] ?? '', other]
    return Object.fromEntries(entries)
  })
}

/** Inputs for a schema, half of them valid. */
export function inputsOf(schema: z.ZodType, known: Known): Arbitrary<unknown> {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  const valid = fitting(json, known)
  return fc.oneof(valid, broken(valid))
}
