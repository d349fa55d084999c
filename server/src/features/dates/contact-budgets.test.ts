import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { after, hours, minutes } from '../../platform/clock.ts'
import type { JobRunner } from '../../platform/jobs/jobs.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { watchDates } from '../../test/dates.ts'
import { type Person, people, person } from '../../test/people.ts'

const untilMissed = hours(2) + minutes(31)

describe('emails to a contact are limited', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    await (strict.platform.jobs as JobRunner).rest()
  })
  afterAll(() => strict.close())
  beforeEach(() => {
    strict.mails.length = 0
  })
  const name = (who: Person, contactEmail: string) => {
    const at = after(strict.clock.now(), hours(1)).toISOString()
    return who.call('POST /api/dates', { body: { place: 'P', at, checkInMinutes: 60, contactEmail } })
  }
  const miss = () => {
    strict.clock.advance(untilMissed)
    return watchDates(strict.platform)
  }

  it("one person sends one mailbox at most three emails a day, however it is written, and ended dates don't count", {
    tags: 'long',
  }, async () => {
    const [eve, mia] = [await person(strict), await person(strict)]
    for (let i = 0; i < 5; i++) {
      const { id } = (await name(eve, `mom+${i}@gmail.com`)).body
      await eve.call('PATCH /api/dates/:id', { params: { id }, body: { ended: true } })
    }
    for (let i = 0; i < 5; i++) expect((await name(eve, `m.o.m+${i}@gmail.com`)).status).toBe(201)
    expect((await name(mia, 'mom@gmail.com')).status).toBe(201)
    await miss()
    expect(strict.mails.map(({ to }) => to.startsWith('m.o.m')).sort()).toEqual([false, true, true, true])
  })

  it("five senders who use up their emails to a contact don't block another person's alarm", async () => {
    for (const one of await people(strict, 5)) for (let i = 0; i < 4; i++) await name(one, 'mother@example.com')
    await miss()
    expect(strict.mails).toHaveLength(15)
    for (let i = 0; i < 2; i++) await name(await person(strict, { name: 'Zoe' }), 'mother@example.com')
    await miss()
    expect(strict.mails.filter(({ subject }) => subject.startsWith('Zoe'))).toHaveLength(2)
  })

  it('a contact gets emails from twenty senders a day, and the next owner sees that theirs is waiting', {
    tags: 'long',
  }, async () => {
    for (const one of await people(strict, 20)) await name(one, 'father@example.com')
    await miss()
    expect(strict.mails).toHaveLength(20)
    const zoe = await person(strict)
    await name(zoe, 'father@example.com')
    await miss()
    for (let i = 0; i < 4; i++) {
      strict.clock.advance(minutes(30))
      await watchDates(strict.platform)
    }
    expect(strict.mails).toHaveLength(20)
    expect((await zoe.call('GET /api/dates')).body.dates[0]).toMatchObject({
      contactEmail: 'father@example.com',
      contactUntold: true,
    })
    await strict.platform.pool.query(`delete from rate_limits where key like 'date_contact_senders%'`)
    strict.clock.advance(minutes(30))
    await watchDates(strict.platform)
    expect(strict.mails).toHaveLength(21)
  })
})
