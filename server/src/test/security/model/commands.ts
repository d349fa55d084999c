import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import { publishMoves } from '../../../features/places/places.ts'
import { sanction } from '../../../features/sanctions/sanctions.ts'
import { minutes, seconds } from '../../../platform/clock.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { TestApp } from '../../app.ts'
import { caller, type Person, person } from '../../people.ts'
import { outgoing } from '../../talk.ts'
import { openWire } from '../wire.ts'
import { acts, exists, isBlocked, type Model, nearOf, newcomer, pairOf, sees, talksOf } from './model.ts'

/** The real app, in which people have the same numbers as in the model. */
export interface Real {
  app: TestApp
  people: Person[]
  picture: Blob
}

type Command = fc.AsyncCommand<Model, Real>

const mostPeople = 5

function command(
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<unknown>,
): Command {
  return { check, run: async (...both) => void (await run(...both)), toString: () => name }
}

const of = (real: Real, a: number) => real.people[a] as Person
const one = (model: Model, a: number) => model.people[a] as Model['people'][number]

const register = () =>
  command(
    'register',
    ({ people }) => people.length < mostPeople,
    async (model, real) => {
      real.people.push(await person(real.app))
      model.people.push(newcomer())
    },
  )

const signOut = (a: number, everywhere: boolean) =>
  command(
    `signOut${everywhere ? 'Everywhere' : ''}(${a})`,
    (model) => acts(model, a),
    async (model, real) => {
      const { status } = await of(real, a).call(`POST /api/user/${everywhere ? 'signOutEverywhere' : 'signOut'}`)
      expect(status).toBe(200)
      expect((await of(real, a).call('GET /api/user/myDetails')).status).toBe(401)
      one(model, a).live = false
    },
  )

const signIn = (a: number) =>
  command(
    `signIn(${a})`,
    (model) => exists(model, a) && !one(model, a).banned && !one(model, a).leaving,
    async (model, real) => {
      const { email } = of(real, a)
      real.app.clock.advance(seconds(31))
      const anonymous = caller(real.app.url)
      await anonymous.call('POST /api/user/requestOtp', { body: { email } })
      const otp = await real.app.codeFor(email)
      const { status, body } = await anonymous.call('POST /api/user/authenticate', { body: { email, otp } })
      expect(status).toBe(200)
      real.people[a] = { ...body, ...caller(real.app.url, body.token) }
      Object.assign(one(model, a), { live: true, fresh: true })
    },
  )

const move = (a: number, latitude: number, longitude: number) =>
  command(
    `move(${a})`,
    (model) => acts(model, a),
    async (model, real) => {
      const { status } = await of(real, a).call('PATCH /api/user/updateLocation', { body: { latitude, longitude } })
      expect(status).toBe(200)
      one(model, a).placed = true
    },
  )

const pass = () =>
  command(
    'pass',
    () => true,
    async (model, real) => {
      real.app.clock.advance(minutes(31))
      await publishMoves(real.app.platform)
      for (const one of model.people) one.fresh = false
    },
  )

const message = (a: number, b: number) =>
  command(
    `message(${a}, ${b})`,
    (model) => acts(model, a) && exists(model, b) && a !== b,
    async (model, real) => {
      const text = `Words ${randomUUID()}`
      const wire = await openWire(real.app.url, of(real, a).token)
      const ack = (await wire.ask('send_message', outgoing(of(real, a), of(real, b), text))) as { code?: string }
      wire.close()
      if (!sees(model, a, b)) return expect(ack).toMatchObject({ ok: false, code: 'not_found' })
      expect(ack).toMatchObject({ ok: true })
      const pair = pairOf(a, b)
      model.said.set(pair, [...(model.said.get(pair) ?? []), text])
    },
  )

const block = (a: number, b: number) =>
  command(
    `block(${a}, ${b})`,
    (model) => acts(model, a) && sees(model, a, b),
    async (model, real) => {
      const { status } = await of(real, a).call('PUT /api/blocks/:userId', { params: { userId: of(real, b).id } })
      expect(status).toBe(200)
      model.blocks.add(`${a} ${b}`)
    },
  )

const report = (a: number, b: number) =>
  command(
    `report(${a}, ${b})`,
    (model) => acts(model, a) && exists(model, b) && a !== b,
    async (model, real) => {
      const body = { userId: of(real, b).id, subject: { kind: 'profile' as const }, reason: 'spam' as const }
      const { status } = await of(real, a).call('POST /api/reports', { body })
      if (sees(model, a, b)) expect(status).toBe(201)
      if (status === 201) one(model, a).reported.add(b)
    },
  )

const upload = (a: number) =>
  command(
    `upload(${a})`,
    (model) => acts(model, a),
    async (model, real) => {
      const form = new FormData()
      form.append('file', real.picture, 'photo.jpg')
      const who = of(real, a)
      const { status } = await who.call('PATCH /api/user/:userId/image', { params: { userId: who.id }, form })
      expect(status).toBe(one(model, a).photos < 6 ? 200 : 409)
      if (status === 200) one(model, a).photos += 1
    },
  )

const unload = (a: number) =>
  command(
    `unload(${a})`,
    (model) => acts(model, a) && one(model, a).photos > 0,
    async (model, real) => {
      const { body } = await of(real, a).call('GET /api/user/myDetails')
      const imageFileName = body.images[0] ?? ''
      const { status } = await of(real, a).call('PATCH /api/user/deleteImage', { body: { imageFileName } })
      expect(status).toBe(200)
      one(model, a).photos -= 1
    },
  )

const ban = (a: number) =>
  command(
    `ban(${a})`,
    (model) => exists(model, a) && !one(model, a).banned,
    async (model, real) => {
      const given = { userId: of(real, a).id, kind: 'ban' as const, ground: 'spam' as const, decidedBy: null }
      await transaction(real.app.platform, (tx) => sanction(tx, { ...given, statement: 'It was spam.' }))
      expect((await of(real, a).call('GET /api/user/myDetails')).status).toBe(401)
      Object.assign(one(model, a), { banned: true, live: false })
    },
  )

const erase = (a: number) =>
  command(
    `erase(${a})`,
    (model) => acts(model, a),
    async (model, real) => {
      const { status, body } = await of(real, a).call('POST /api/erasure', { body: {} })
      if (!one(model, a).fresh) return expect([status, body.code]).toEqual([403, 'reauthentication_required'])
      expect(status).toBe(200)
      one(model, a).leaving = true
    },
  )

const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b)

export async function expectAgreement(model: Model, real: Real, a: number): Promise<void> {
  const who = of(real, a)
  const numberOf = (id: string) => real.people.findIndex((other) => other.id === id)
  if (one(model, a).placed) {
    const { body } = await who.call('GET /api/user/nearBy', { query: { limit: 50 } })
    expect(sorted(body.users.map(({ id }) => numberOf(id)))).toEqual(nearOf(model, a))
  }
  const { body: history } = await who.call('GET /api/messages/history')
  const talks = talksOf(model, a)
  for (const { id, lastSeq, lastMessage, unreadCount } of history) {
    const b = numberOf(id)
    expect([b, isBlocked(model, a, b)]).toEqual([b, false])
    if (!sees(model, a, b)) continue
    const texts = talks.get(b) ?? []
    expect([lastSeq, lastMessage?.message]).toEqual([texts.length, texts.at(-1)])
    expect(unreadCount).toBeLessThanOrEqual(texts.length)
  }
  const found = history.map(({ id }) => numberOf(id))
  expect([...talks.keys()].filter((b) => !found.includes(b))).toEqual([])
  for (const [b] of model.people.entries()) {
    const { status } = await who.call('GET /api/user/:id', { params: { id: of(real, b).id } })
    if (a !== b) expect([b, status]).toEqual([b, sees(model, a, b) ? 200 : 404])
  }
  const { body: details } = await who.call('GET /api/user/myDetails')
  expect(details.images).toHaveLength(one(model, a).photos)
  const { body: reports } = await who.call('GET /api/reports')
  expect(reports.reports).toHaveLength(one(model, a).reported.size)
}

const look = (a: number) =>
  command(
    `look(${a})`,
    (model) => acts(model, a),
    (model, real) => expectAgreement(model, real, a),
  )

const who = fc.nat({ max: mostPeople - 1 })
const two = fc.tuple(who, who)
const near = fc.double({ min: -0.02, max: 0.02, noNaN: true })

/** All actions of people and moderators. The most revealing ones appear most often. */
export const commands: fc.Arbitrary<Command>[] = [
  fc.constant(null).map(register),
  fc.tuple(who, fc.boolean()).map((given) => signOut(...given)),
  who.map(signIn),
  fc.tuple(who, near, near).map(([a, x, y]) => move(a, 47.37 + x, 8.54 + y)),
  fc.tuple(who, near, near).map(([a, x, y]) => move(a, 47.37 + x, 8.54 + y)),
  fc.constant(null).map(pass),
  ...[two, two, two, two].map((pair) => pair.map((given) => message(...given))),
  two.map((given) => block(...given)),
  two.map((given) => report(...given)),
  who.map(upload),
  who.map(unload),
  who.map(ban),
  who.map(erase),
  ...[who, who, who].map((a) => a.map(look)),
]
