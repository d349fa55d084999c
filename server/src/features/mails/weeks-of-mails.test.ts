import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { reportBeside } from '../../../../tools/report.ts'
import { rounds, tier } from '../../../../tools/tier.ts'
import { days, minutes } from '../../platform/clock.ts'
import { connectOwner } from '../../platform/database/database.ts'
import { recordOf } from '../../platform/mail-signing.ts'
import { openMailer, smtpMailer } from '../../platform/mailer.ts'
import { drawBelow, seededRandom } from '../../platform/random.ts'
import { ownerOf, startTestApp, stoppedClock } from '../../test/app.ts'
import { startMailServer } from '../../test/mail-server.ts'
import { arriving, type Expected, faultsOfWords, isQuiet, type Life, localTime } from '../../test/mails/expected.ts'
import { createLives } from '../../test/mails/lives.ts'
import { faultsOfSignature, readMail } from '../../test/mails/reading.ts'
import { mailUntold } from './news.ts'

const began = Date.parse('2027-03-03T00:00:00Z')
/** Half as often as the job runs in production. Each run handles everything due, however long ago the last run was. */
const stepMs = minutes(20)
const signing = { domain: 'example.org', selector: 'duet' }

const refusals: Record<Life['box'], readonly [number, string] | undefined> = {
  ...{ open: undefined, gone: [550, '5.1.1 no such mailbox'] },
  ...{ full: [452, '4.2.2 mailbox full'], listed: [550, '5.7.1 listed'] },
}

async function startWorld() {
  const boxes = new Map<string, Life>()
  /** Recipients that the mail server was asked to accept since the last check. */
  const asked = new Set<string>()
  const server = await startMailServer((address) => {
    asked.add(address)
    return refusals[boxes.get(address)?.box ?? 'open']
  })
  const folder = await mkdtemp(join(tmpdir(), 'duet-weeks-'))
  const keyFile = join(folder, 'dkim.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const app = await startTestApp(
    {
      ...{ MAIL_URL: server.url, MAIL_FROM: 'Duet <no-reply@example.org>', PUBLIC_URL: 'https://duet.example' },
      ...{ MAIL_DKIM_DOMAIN: signing.domain, MAIL_DKIM_SELECTOR: signing.selector, MAIL_DKIM_KEY_FILE: keyFile },
      LOG_LEVEL: 'silent',
    },
    { clock: stoppedClock(new Date(began)) },
  )
  const mailer = openMailer(app.platform.config)
  const away = smtpMailer('smtp://127.0.0.1:1', 'Duet <no-reply@example.org>')
  const owner = connectOwner(ownerOf(app.platform), () => undefined)
  onTestFinished(async () => {
    for (const each of [mailer, away]) each.close()
    await owner.db.destroy()
    await app.close()
    await server.close()
    await rm(folder, { recursive: true })
  })
  const record = recordOf({ ...signing, keyFile })
  return { app, server, asked, boxes, record, send: { up: mailer.send, away: away.send }, owner: owner.db }
}
type World = Awaited<ReturnType<typeof startWorld>>

async function faultsOf({ server, record, boxes }: World, due: Map<Life, Expected[]>, at: number) {
  const faults: string[] = []
  const came = new Map<Life, ReturnType<typeof readMail>[]>()
  const sources = server.received.splice(0)
  for (const { to, source } of sources) {
    const mail = readMail(source)
    const one = boxes.get(to.join())
    faults.push(...mail.faults, ...(await faultsOfSignature(source, record)))
    if (one && mail.oneClick) came.set(one, [...(came.get(one) ?? []), mail])
    else faults.push(`goes to ${to}`)
  }
  for (const one of new Set([...due.keys(), ...came.keys()])) {
    const [expected, mails] = [due.get(one) ?? [], came.get(one) ?? []]
    const { day, time } = localTime(one.zone, at)
    const when = `${one.name} on ${day} ${time} in ${one.zone} (${new Date(at).toISOString()}):`
    if (isQuiet(one, time)) faults.push(`${when} in quiet hours`)
    if (mails.length !== expected.length)
      faults.push(
        `${when} ${mails.length} mails, not ${expected.map(({ group, news }) => `${group} of ${news.length}`)}`,
      )
    for (const each of expected) {
      const wrong = mails.map((mail) => faultsOfWords(one, each, mail))
      const fit = wrong.findIndex((list) => list.length === 0)
      if (fit < 0) faults.push(...(wrong[0] ?? []).map((fault) => `${when} ${fault}`))
      const [mail] = mails.splice(Math.max(0, fit), 1)
      if (mail?.oneClick && expected.length === 1) one.link = { group: each.group, url: mail.oneClick }
    }
  }
  return { faults, count: sources.length }
}

/** The mail server's possible states, each for six hours. It is mostly up. */
const states = [...Array(12).fill('up'), 'away', 'mute'] as ('up' | 'away' | 'mute')[]

it('over weeks of random lives, each event is in at most one email, as its reader wants it', {
  tags: ['more-in-long', 'more-in-release'],
}, async () => {
  const [people, span, perDay] = rounds([8, 2, 60], [40, 10, 100], [1_000, 60, 250])
  const world = await startWorld()
  const { app, owner, asked, boxes, server, send } = world
  const lives = await createLives(
    { app, owner },
    { people, random: seededRandom(11), perStep: (perDay * stepMs) / days(1) },
  )
  for (const one of lives.all) boxes.set(one.email, one)
  const faults: string[] = []
  let checked = 0
  const random = seededRandom(12)
  let state: (typeof states)[number] = 'up'
  for (let step = 0; step < (span * days(1)) / stepMs; step += 1) {
    await lives.live(stepMs)
    if (step % 18 === 0) state = states[drawBelow(random, states.length)] ?? 'up'
    server.isMute = state === 'mute'
    app.platform.mailer.send = state === 'away' ? send.away : send.up
    const at = app.clock.now().getTime()
    asked.clear()
    await mailUntold(app.platform)
    // A run ends after three unanswered emails in a row. For the people it didn't reach, the mail server counts as
    // down.
    const isOver = state === 'mute' && server.received.length >= 3
    const isAway = ({ email }: Life) => state === 'away' || (isOver && !asked.has(email))
    const due = new Map(lives.all.map((one) => [one, arriving(one, at, isAway(one))]))
    const found = await faultsOf(world, new Map([...due].filter(([, mails]) => mails.length > 0)), at)
    faults.push(...found.faults)
    checked += found.count
    if (faults.length > 20) break
  }
  expect(checked).toBeGreaterThan(people * rounds(1, 1, 5))
  if (tier === 'release') {
    const note = `to ${people} people in ${span} days, of ${lives.events()} events`
    reportBeside('reach', [
      { id: 'R10.mails_checked', value: checked, target: '>= 5000', note },
      {
        id: 'R10.mail_faults',
        value: faults.length,
        target: '0',
        note: 'what is wrong with one of those mails, or missing',
      },
    ])
  }
  expect(faults).toEqual([])
})
