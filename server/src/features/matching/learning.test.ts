import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { after, minutes } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { noteShown } from '../../test/shown.ts'
import { matchingConstants as constants } from './constants.ts'
import type { Lesson, Tally } from './learning.queries.ts'
import { learnFrom, learnWhatIsDue } from './learning.ts'
import { defaultModel } from './model.ts'

const blank = (user_id: string): Tally => ({
  ...{ user_id, says_yes: 0, is_liked: 0 },
  ...{ made_weight: 0, received_weight: 0, made: 0, received: 0 },
})
const talliesOf = (...ids: string[]) => new Map(ids.map((id) => [id, blank(id)]))
const heard = (yes: boolean, count: number): Lesson[] =>
  Array.from({ length: count }, () => ({
    ...{ actorId: 'ana', targetId: 'ben', yes, at: new Date() },
    ...{ countsForActor: true, countsForTarget: true },
  }))

describe('learning from single decisions', () => {
  it('a like raises how often the actor says yes and how often the target is liked', () => {
    const tallies = talliesOf('ana', 'ben')
    learnFrom(heard(true, 1), tallies, defaultModel)
    expect(tallies.get('ana')).toMatchObject({ made: 1, received: 0, is_liked: 0 })
    expect(tallies.get('ben')).toMatchObject({ made: 0, received: 1, says_yes: 0 })
    expect(tallies.get('ana')?.says_yes).toBeGreaterThan(0.2)
    expect(tallies.get('ben')?.is_liked).toBeGreaterThan(0.2)
  })

  it('more decisions of the same kind teach less and less', () => {
    const after = (count: number) => {
      const tallies = talliesOf('ana', 'ben')
      learnFrom(heard(false, count), tallies, defaultModel)
      return tallies.get('ana')?.says_yes ?? 0
    }
    expect(after(1)).toBeLessThan(0)
    expect(after(10) - after(9)).toBeGreaterThan(after(1))
    expect(after(1000)).toBeGreaterThan(-12)
  })

  it('one decision changes a person’s rank by a bounded step, whoever decides and however unexpected it is', () => {
    const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true })
    const weight = fc.double({ min: 0, max: 1_000, noNaN: true })
    fc.assert(
      fc.property(
        number(30),
        number(30),
        weight,
        number(10),
        fc.boolean(),
        (says_yes, is_liked, received, intercept, yes) => {
          const tallies = new Map([
            ['ana', { ...blank('ana'), says_yes }],
            ['ben', { ...blank('ben'), is_liked, received_weight: received }],
          ])
          learnFrom(heard(yes, 1), tallies, { ...defaultModel, intercept })
          const moved = (tallies.get('ben')?.is_liked ?? Number.NaN) - is_liked
          expect(Math.abs(moved)).toBeLessThanOrEqual(constants.lessonMost + 1e-9)
          expect(yes ? moved : -moved).toBeGreaterThanOrEqual(0)
        },
      ),
    )
  })

  it('nothing is learned if one of the two may not be learned from', () => {
    for (const only of ['ana', 'ben']) {
      const tallies = talliesOf(only)
      learnFrom(heard(true, 3), tallies, defaultModel)
      expect(tallies.get(only)).toEqual(blank(only))
    }
  })
})

describe('learning as people decide', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const at = { latitude: 52.52, longitude: 13.405 }
  const some = () => person(app, { at })
  const couple = async (): Promise<[Person, Person]> => [await some(), await some()]
  const show = (viewer: Person, target: Person, at?: Date) => noteShown(app, viewer, target, at)
  const decideUnseen = (viewer: Person, { id: userId }: Person, decision: 'like' | 'pass' | 'later') =>
    viewer.call('PUT /api/decisions/:userId', { params: { userId }, body: { decision } })
  const decide = async (viewer: Person, target: Person, decision: 'like' | 'pass' | 'later') => {
    await show(viewer, target)
    return decideUnseen(viewer, target, decision)
  }
  const undo = (viewer: Person) => viewer.call('POST /api/decisions/undo')
  const retract = (viewer: Person, { id: userId }: Person) =>
    viewer.call('DELETE /api/decisions/:userId', { params: { userId } })
  const tally = async ({ id }: Person) =>
    (await app.platform.db.selectFrom('standings').selectAll().where('user_id', '=', id).executeTakeFirst()) ??
    blank(id)
  const lessons = ({ id }: Person) =>
    app.platform.db.selectFrom('lessons').selectAll().where('actor_id', '=', id).execute()
  const tenMinutesLater = () => {
    app.clock.advance(minutes(10))
    return learnWhatIsDue(app.platform)
  }

  it('a decision is learned from once it can no longer be undone', async () => {
    const [ana, ben] = await couple()
    await decide(ana, ben, 'like')
    app.clock.advance(minutes(9))
    await learnWhatIsDue(app.platform)
    expect(await tally(ana)).toMatchObject({ made: 0 })
    app.clock.advance(minutes(1))
    await learnWhatIsDue(app.platform)
    await learnWhatIsDue(app.platform)
    expect(await tally(ana)).toMatchObject({ made: 1, received: 0 })
    expect((await tally(ben)).is_liked).toBeGreaterThan(0)
    expect(await lessons(ana)).toEqual([])
  })

  it('nothing is learned from undone decisions, and only the final state from changed ones', {
    tags: 'long',
  }, async () => {
    const [ana, ben] = await couple()
    const cem = await some()
    await decide(ana, ben, 'pass')
    await undo(ana)
    await decide(ana, cem, 'pass')
    await decide(ana, cem, 'later')
    await decide(ana, cem, 'like')
    await tenMinutesLater()
    expect(await tally(ben)).toMatchObject({ received: 0, is_liked: 0 })
    expect(await tally(cem)).toMatchObject({ received: 1 })
    expect((await tally(cem)).is_liked).toBeGreaterThan(0)
    await decide(ana, ben, 'pass')
    await tenMinutesLater()
    expect(await tally(ben)).toMatchObject({ received: 1 })
  })

  const changes = [
    ['undone at once', undo, 0],
    ['retracted later', (ana: Person, ben: Person) => retract(ana, ben), 10],
    ['put off', (ana: Person, ben: Person) => decide(ana, ben, 'later'), 10],
    ['turned into a like', (ana: Person, ben: Person) => decide(ana, ben, 'like'), 10],
  ] as const
  for (const { tags, cases } of firstQuick(1, changes))
    it.each(cases)(
      'a pair is learned from once, however often a pass is %s and repeated',
      { tags },
      async (_how, change, after) => {
        const [ana, ben] = await couple()
        const [bea, ned] = await couple()
        await decide(bea, ned, 'pass')
        for (let time = 0; time < 6; time++) {
          expect((await decide(ana, ben, 'pass')).status).toBe(200)
          app.clock.advance(minutes(after))
          await learnWhatIsDue(app.platform)
          if (time < 5) expect((await change(ana, ben)).status).toBe(200)
          app.clock.advance(minutes(after))
          await learnWhatIsDue(app.platform)
        }
        await tenMinutesLater()
        expect(await tally(ben)).toMatchObject({ received: 1, is_liked: (await tally(ned)).is_liked })
        expect(await tally(ana)).toMatchObject({ made: 1 })
      },
    )

  it('a decision that replaces "later" is learned from', async () => {
    const [ana, ben] = await couple()
    await decide(ana, ben, 'later')
    await tenMinutesLater()
    expect(await tally(ana)).toMatchObject({ made: 0 })
    await decide(ana, ben, 'like')
    await tenMinutesLater()
    expect(await tally(ana)).toMatchObject({ made: 1 })
  })

  it('concurrent learning in several processes loses nothing and counts nothing twice', {
    tags: ['long', 'race'],
  }, async () => {
    const all = await Promise.all(Array.from({ length: 6 }, some))
    for (const actor of all) for (const target of all) if (actor !== target) await decide(actor, target, 'pass')
    app.clock.advance(minutes(10))
    await Promise.all(Array.from({ length: 4 }, () => learnWhatIsDue(app.platform)))
    for (const one of all) expect(await tally(one)).toMatchObject({ made: 5, received: 5 })
  })

  it('nothing is learned from or about someone who opted out, even after they opt in again', {
    tags: 'long',
  }, async () => {
    const [shy, ben] = [await person(app, { at, learnFromMe: false }), await some()]
    await decide(shy, ben, 'like')
    await decide(ben, shy, 'pass')
    await shy.call('PATCH /api/user/updateUser', { body: { learnFromMe: true } })
    // Uses the test clock, because the database's own clock doesn't advance here.
    await sql`update standings set learns_since = ${app.clock.now()} where user_id = ${shy.id}`.execute(app.platform.db)
    await tenMinutesLater()
    expect(await tally(shy)).toMatchObject({ made: 0 })
    expect(await tally(ben)).toMatchObject({ made: 0, received: 0, is_liked: 0 })
    await decide(shy, ben, 'pass')
    await tenMinutesLater()
    expect(await tally(shy)).toMatchObject({ made: 0 })
  })

  it("nothing is learned from a decision about someone who hadn't been shown before, as in nightly training", async () => {
    const [ana, ben] = await couple()
    await decideUnseen(ana, ben, 'like')
    await show(ana, ben, after(app.clock.now(), minutes(1)))
    await tenMinutesLater()
    expect(await tally(ana)).toMatchObject({ made: 0, says_yes: 0 })
    expect(await tally(ben)).toMatchObject({ received: 0, is_liked: 0 })
  })

  it('nothing is learned from or about someone hidden, as in nightly training', async () => {
    const [ana, ben] = await couple()
    await decide(ana, ben, 'pass')
    await decide(ben, ana, 'pass')
    await app.platform.db.updateTable('profiles').set({ hidden: true }).where('user_id', '=', ana.id).execute()
    await tenMinutesLater()
    for (const one of [ana, ben]) expect(await tally(one)).toMatchObject({ made: 0, received: 0 })
  })

  it('decisions that a person’s effects already include don’t count again', { tags: 'long' }, async () => {
    const [ana, ben] = await couple()
    await decide(ana, ben, 'like')
    await sql`insert into standings (user_id, made, counted_until) values (${ana.id}, 7, ${app.clock.now()})
      on conflict (user_id) do update set (made, counted_until) = (excluded.made, excluded.counted_until)`.execute(
      app.platform.db,
    )
    await tenMinutesLater()
    expect(await tally(ana)).toMatchObject({ made: 7 })
    expect(await tally(ben)).toMatchObject({ received: 1 })
  })

  it('nothing is learned from decisions made while learning was switched off', async () => {
    const [ana, ben] = await couple()
    await decide(ana, ben, 'like')
    await ana.call('PATCH /api/user/updateUser', { body: { learnFromMe: false } })
    await ana.call('PATCH /api/user/updateUser', { body: { learnFromMe: true } })
    await tenMinutesLater()
    expect(await tally(ana)).toMatchObject({ made: 0 })
    expect(await tally(ben)).toMatchObject({ received: 0 })
  })

  it('a reset forgets learned effects and queued lessons, but keeps pending likes and impressions', {
    tags: 'long',
  }, async () => {
    const [ana, ben] = await couple()
    const cem = await some()
    await decide(ana, ben, 'like')
    await tenMinutesLater()
    await decide(ana, cem, 'pass')
    await decide(cem, ana, 'pass')
    await sql`update standings set pending = 3, impressions = 4 where user_id = ${ana.id}`.execute(app.platform.db)
    expect((await ana.call('DELETE /api/matching/learning')).status).toBe(200)
    await tenMinutesLater()
    const nothing = { says_yes: 0, made: 0, made_weight: 0, received: 0 }
    expect(await tally(ana)).toMatchObject({ ...nothing, pending: 3, impressions: 4 })
    expect(await tally(ben)).toMatchObject({ received: 1 })
    expect(await tally(cem)).toMatchObject({ made: 0, received: 0 })
    const shown = await app.platform.db.selectFrom('impressions').selectAll().where('viewer_id', '=', ana.id).execute()
    expect(shown).toHaveLength(2)
  })

  it('a reset forgets queued lessons even if the clocks differ', {
    tags: 'long',
  }, async () => {
    const [ana, ben] = await couple()
    await decide(ana, ben, 'like')
    await sql`insert into standings (user_id, learns_since) values (${ana.id}, ${after(app.clock.now(), 1)})
      on conflict (user_id) do update set learns_since = excluded.learns_since`.execute(app.platform.db)
    await tenMinutesLater()
    expect(await tally(ana)).toMatchObject({ made: 0, says_yes: 0 })
    expect(await tally(ben)).toMatchObject({ received: 0, is_liked: 0 })
  })
})
