import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rateLimited } from '../../platform/errors.ts'
import type { TestApp } from '../app.ts'
import { type Cast, type Stage, startWithCast } from './authorization/cast.ts'
import { type Call, findCall, limited } from './price/calls.ts'
import { answerTo } from './requests.ts'
import type { Rows } from './rows.ts'
import { openWire, type Wire } from './wire.ts'

let app: TestApp
let rows: Rows
let cast: Cast
let close: Stage['close']
beforeAll(async () => {
  ;({ app, rows, cast, close } = await startWithCast())
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

/** Runs `act`, with a connection if it needs one, and restores all changed rows. */
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

it('An endpoint or event whose limit is used up is refused and changes nothing.', { tags: 'long' }, async () => {
  const { limits } = app.platform
  const { spend, spendHere } = limits
  limits.spend = limits.spendHere = async () => {
    throw rateLimited(1_000)
  }
  const outcomes: Record<string, string> = {}
  try {
    for (const name of limited) {
      const call = findCall(cast, name)
      if (!call) continue
      outcomes[name] = await during(name, call, async (wire) => {
        const before = await rows.read()
        const outcome = await make(name, call, wire)
        return isDeepStrictEqual(await rows.read(), before) ? outcome : `changed something: ${outcome}`
      })
    }
  } finally {
    Object.assign(limits, { spend, spendHere })
  }
  expect(Object.keys(outcomes).length).toBeGreaterThan(50)
  expect(Object.entries(outcomes).filter(([, outcome]) => !/^(429|rate_limited)/.test(outcome))).toEqual([])
})
