import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rateLimited } from '../../platform/errors.ts'
import type { Limit } from '../../platform/security/rate-limit.ts'
import type { TestApp } from '../app.ts'
import { type Cast, type Stage, startWithCast } from './authorization/cast.ts'
import { type Call, everything, findCall } from './price/calls.ts'
import { limited, limitsOf, told } from './price/limits.ts'
import { withPrices } from './price/table.ts'
import { answerTo } from './requests.ts'
import type { Rows } from './rows.ts'
import { root } from './switchboard/patch.ts'
import { documentPath } from './switchboard/table.ts'
import { openWire, type Wire } from './wire.ts'

let app: TestApp
let rows: Rows
let cast: Cast
let close: Stage['close']
/** The limits that were asked since the last look. */
const spent: Limit[] = []
beforeAll(async () => {
  ;({ app, rows, cast, close } = await startWithCast())
  const { limits } = app.platform
  const { spend, spendHere } = limits
  limits.spend = (limit, ...rest) => {
    spent.push(limit)
    return spend(limit, ...rest)
  }
  limits.spendHere = (limit, ...rest) => {
    spent.push(limit)
    return spendHere(limit, ...rest)
  }
  await rows.keep()
})
afterAll(() => close())

async function make(name: string, { role, parts, payload }: Call, wire: Wire | undefined): Promise<string> {
  const [method = '', path] = name.split(' ')
  if (path) return (await answerTo(app.url, { method, path, token: cast.tokens[role], ...parts })).outcome
  const ack = (await wire?.ask(name, payload)) as { code?: string; error?: { code: string } } | undefined
  return ack?.code ?? ack?.error?.code ?? 'ok'
}

const isRead = (name: string) => name.startsWith('GET')

/** Runs `act` with a connection where one is needed, and puts everything back that was changed. */
async function during<T>(name: string, { role }: Call, act: (wire: Wire | undefined) => Promise<T>): Promise<T> {
  const wire = name.includes(' ') ? undefined : await openWire(app.url, cast.tokens[role])
  try {
    return await act(wire)
  } finally {
    wire?.close()
    if (!isRead(name)) await rows.restore()
    app.platform.sessions.forget(cast.people.member.session)
  }
}

describe('the table of what can be asked how often', () => {
  it('has a row for every endpoint and every request of a live connection', () => {
    expect(Object.keys(limitsOf).sort()).toEqual([...everything].sort())
  })

  it('says of each what the code asks for when it is called', { tags: 'long' }, async () => {
    const wrong: string[] = []
    for (const name of everything) {
      const call = findCall(cast, name)
      if (!call) continue
      await during(name, call, async (wire) => {
        spent.length = 0
        const outcome = await make(name, call, wire)
        const found = [...new Set(spent.map(told))].join(', ')
        if (!/^(2|ok)/.test(outcome)) wrong.push(`${name}: ${outcome}`)
        else if (found !== limitsOf[name]) wrong.push(`${name}: ${found}`)
      })
    }
    expect(wrong).toEqual([])
  })

  it('counts before anything is acted on: what is used up is refused whatever is asked for', {
    tags: 'long',
  }, async () => {
    const { limits } = app.platform
    const { spend, spendHere } = limits
    limits.spend = limits.spendHere = async () => {
      throw rateLimited(1_000)
    }
    const outcomes: Record<string, string> = {}
    try {
      for (const name of limited) {
        const call = findCall(cast, name)
        if (call) outcomes[name] = await during(name, call, (wire) => make(name, call, wire))
      }
    } finally {
      Object.assign(limits, { spend, spendHere })
    }
    expect(Object.keys(outcomes).length).toBeGreaterThan(50)
    expect(Object.entries(outcomes).filter(([, outcome]) => !/^(429|rate_limited)/.test(outcome))).toEqual([])
  })

  it('is in the threat model', () => {
    const document = readFileSync(join(root, documentPath), 'utf8')
    expect(document).toBe(withPrices(document))
  })
})
