import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { people, person } from '../../test/people.ts'
import type { Standing } from './learning.queries.ts'
import { createLearning, type Heard, learnFrom } from './learning.ts'
import { defaultModel } from './model.ts'

const blank = (user_id: string): Standing => ({
  ...{ user_id, says_yes: 0, is_liked: 0 },
  ...{ made_weight: 0, received_weight: 0, made: 0, received: 0 },
})
const standingsOf = (...ids: string[]) => new Map(ids.map((id) => [id, blank(id)]))
const heard = (yes: boolean, count: number): Heard[] =>
  Array.from({ length: count }, () => ({ actorId: 'ana', targetId: 'ben', yes }))

describe('what a decision tells', () => {
  it('a like: the one says yes more often, to the other yes is said more often', () => {
    const standings = standingsOf('ana', 'ben')
    learnFrom(heard(true, 1), standings, defaultModel)
    expect(standings.get('ana')).toMatchObject({ made: 1, received: 0, is_liked: 0 })
    expect(standings.get('ben')).toMatchObject({ made: 0, received: 1, says_yes: 0 })
    expect(standings.get('ana')?.says_yes).toBeGreaterThan(0.2)
    expect(standings.get('ben')?.is_liked).toBeGreaterThan(0.2)
  })

  it('more of the same tells less and less', () => {
    const after = (count: number) => {
      const standings = standingsOf('ana', 'ben')
      learnFrom(heard(false, count), standings, defaultModel)
      return standings.get('ana')?.says_yes ?? 0
    }
    expect(after(1)).toBeLessThan(0)
    expect(after(10) - after(9)).toBeGreaterThan(after(1))
    expect(after(1000)).toBeGreaterThan(-12)
  })

  it('nothing, when one may not be learned from; only of the one who decided, when the other may not', () => {
    const onlyBen = standingsOf('ben')
    learnFrom(heard(true, 3), onlyBen, defaultModel)
    expect(onlyBen.get('ben')).toEqual(blank('ben'))
    const onlyAna = standingsOf('ana')
    learnFrom(heard(true, 3), onlyAna, defaultModel)
    expect(onlyAna.get('ana')).toMatchObject({ made: 3 })
  })
})

describe('learning as people decide', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const standing = (userId: string) =>
    app.platform.db.selectFrom('standings').selectAll().where('user_id', '=', userId).executeTakeFirst()

  it('writes what was noted, and when it closes what is left', async () => {
    const learning = createLearning(app.platform)
    const [ana, ben] = (await people(app, 2)).map(({ id }) => id) as [string, string]
    learning.onDecided(ana, ben, true)
    await learning.flush()
    expect(await standing(ana)).toMatchObject({ made: 1, received: 0 })
    const once = (await standing(ben))?.is_liked ?? 0
    expect(once).toBeGreaterThan(0)
    learning.onDecided(ana, ben, true)
    await learning.close()
    expect((await standing(ben))?.is_liked).toBeGreaterThan(once)
    expect(await standing(ana)).toMatchObject({ made: 2 })
  })

  it('loses nothing when two processes learn of the same people at the same time', async () => {
    const [one, two] = [createLearning(app.platform), createLearning(app.platform)]
    const ids = (await people(app, 6)).map(({ id }) => id)
    for (const actor of ids)
      for (const target of ids) {
        if (actor === target) continue
        one.onDecided(actor, target, true)
        two.onDecided(target, actor, false)
      }
    await Promise.all([one.close(), two.close()])
    for (const id of ids) expect(await standing(id)).toMatchObject({ made: 10, received: 10 })
  })

  it('learns nothing from or about somebody who does not want it', async () => {
    const learning = createLearning(app.platform)
    const [shy, ben] = [await person(app, { learnFromMe: false }), await person(app)]
    learning.onDecided(shy.id, ben.id, true)
    learning.onDecided(ben.id, shy.id, true)
    await learning.close()
    expect(await standing(shy.id)).toBeUndefined()
    expect(await standing(ben.id)).toMatchObject({ made: 1, received: 0, is_liked: 0 })
  })

  it('forgets somebody, with what they were shown, and keeps the likes that wait', async () => {
    const learning = createLearning(app.platform)
    const [ana, ben] = (await people(app, 2)).map(({ id }) => id) as [string, string]
    learning.onDecided(ana, ben, true)
    await learning.flush()
    learning.onDecided(ana, ben, true)
    const now = app.clock.now()
    await sql`insert into impressions values (${ana}, ${ben}, ${now}, ${now}, 0, 'regular', 1, 0),
      (${ben}, ${ana}, ${now}, ${now}, 0, 'regular', 1, 0)`.execute(app.platform.db)
    await sql`update standings set pending = 3, impressions = 4 where user_id = ${ana}`.execute(app.platform.db)
    await learning.forget(ana)
    await learning.close()
    expect(await standing(ana)).toMatchObject({ says_yes: 0, made: 0, made_weight: 0, pending: 3, impressions: 4 })
    expect(await standing(ben)).toMatchObject({ received: 1 })
    const shown = await app.platform.db.selectFrom('impressions').selectAll().execute()
    expect(shown).toEqual([])
  })
})
