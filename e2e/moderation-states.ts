import { createHmac } from 'node:crypto'
import { type Browser, expect, type Page } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { lookAt, resize } from './look.ts'
import { administrator, type Moderator } from './moderators.ts'
import { addPhoto, browserOf, picture, type Someone, say, someone } from './people.ts'

interface Walk {
  browser: Browser
  duet: Duet
}

const dialog = '[role=dialog]'
const long = 'Wolfeschlegelsteinhausenbergerdorffskyyy'
const statement =
  'You wrote that you know where someone lives and that you will come. That is a threat, and it was not a joke to them.'

async function ask<T>(duet: Duet, { token }: Someone, method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(duet.baseURL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

const report = (duet: Duet, by: Someone, about: Someone, subject: object, reason: string, details = '') =>
  ask<{ receipt: string }>(duet, by, 'POST', '/api/reports', { userId: about.id, subject, reason, details })
const decide = (duet: Duet, by: Someone, receipt: string, decision: object) =>
  ask(duet, by, 'POST', `/api/admin/reports/${receipt}/decision`, decision)

const leave = (page: Page) => async () => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Creates three cases: a threat, a photo of a person with a long name, and a profile. */
async function makeCases(duet: Duet): Promise<void> {
  const [ana, ben, carl] = [await someone(duet, 'Ana'), await someone(duet, 'Viktor'), await someone(duet, long)]
  await say(duet, ana, ben, 'Good night', 'Sleep well')
  await say(duet, ben, ana, 'I know where you live', 'You will see')
  await addPhoto(duet, carl, await picture('#3b6ea5'))
  const details =
    'He says he knows where I live, and that he will come. It is not the first time that he says such things.'
  const change = (message: string) => ask(duet, ben, 'PATCH', `/api/conversations/${ana.id}/messages/3`, { message })
  await change('I know where you live, and your sister, too')
  await report(duet, ana, ben, { kind: 'message', seq: 3 }, 'threats', details)
  await ask(duet, ben, 'DELETE', `/api/conversations/${ana.id}/messages/3`)
  await report(duet, ana, ben, { kind: 'message', seq: 3 }, 'threats')
  await report(duet, ana, ben, { kind: 'profile' }, 'harassment')
  await report(duet, ana, carl, { kind: 'profile' }, 'spam', `http://${'a'.repeat(120)}.example`)
}

/** Walks through a case from the list to the decision, with its dossier and keyboard shortcuts. */
async function cases({ browser, duet }: Walk): Promise<void> {
  const { page, who } = await administrator(browser, duet, 'Mara')
  const { lookWide } = lookAt(page, { thrifty: true })
  await makeCases(duet)
  await page.goto('/admin?view=reports')
  const list = page.getByRole('list', { name: 'Open reports' })
  await lookWide('admin-reports', 'main', () => list.getByText('Viktor').first().waitFor())
  await list.getByRole('button', { name: /Threats.*Viktor/ }).click()
  await lookWide('admin-case', 'main', () => page.getByText(/^Yours until/).waitFor())
  await page.getByRole('button', { name: /Show the evidence/ }).click()
  await lookWide('admin-case-evidence', 'main', () => page.getByText('First report').waitFor())
  const again = page.getByRole('heading', { name: /^Reported again/ })
  const low = () => again.evaluate((heading) => heading.scrollIntoView({ block: 'center' }))
  await lookWide('admin-case-sightings', 'main', low)
  const opened = (key: string, name: RegExp) => async () => {
    await page.keyboard.press(key)
    await page.getByRole('dialog', { name }).waitFor()
  }
  await lookWide('admin-suspend', dialog, opened('s', /^Suspend/), leave(page))
  await lookWide('admin-dismiss', dialog, opened('d', /^Dismiss/), leave(page))
  await lookWide('admin-keys', dialog, opened('?', /^Keyboard shortcuts/), leave(page))
  await opened('p', /dossier$/)()
  await page.getByRole('dialog').getByRole('textbox').fill('to decide this report')
  await page.getByRole('button', { name: 'Show the dossier' }).click()
  await lookWide('admin-dossier', dialog, () => page.getByText('Reports about').waitFor())
  await leave(page)()
  await page.goto('/admin?view=reports')
  await list.getByRole('button', { name: new RegExp(long) }).click()
  await lookWide('admin-case-long', 'main', () => page.getByRole('heading', { name: new RegExp(long) }).waitFor())
  await inArabic(browser, duet, who)
  await page.context().close()
}

async function emptyQueues({ browser, duet }: Walk): Promise<void> {
  const { page } = await administrator(browser, duet, 'Mara')
  const { look, lookWide, forgive } = lookAt(page, { thrifty: true })
  await resize(page, 390)
  const empty = { reports: 'No open reports', appeals: 'No appeals for you', review: 'No one to review' }
  // Other tests on the same server may have created cases.
  const none = { reports: [], appeals: [], reviews: [], nextCursor: null, forOthers: { count: 0, oldestAt: null } }
  await page.route(/\/api\/admin\/(reports|appeals|reviews)/, (route) => route.fulfill({ json: none }))
  for (const [view, words] of Object.entries(empty)) {
    await page.goto(`/admin?view=${view}`)
    await lookWide(`admin-${view}-empty`, 'main', () => page.getByText(words).waitFor())
  }
  await page.route('**/api/admin/reports*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/admin?view=reports')
  await expect(page.getByText('The cases couldn’t be loaded.')).toBeVisible()
  forgive()
  for (const width of [390, 1440]) {
    await resize(page, width)
    await look('admin-reports-error', 'main')
  }
  await page.context().close()
}

async function inArabic(browser: Browser, duet: Duet, who: Someone): Promise<void> {
  const page = await browserOf(browser, duet, who, { locale: 'ar', viewport: { width: 390, height: 844 } })
  const { lookWide } = lookAt(page, { thrifty: true })
  await page.goto('/admin?view=reports')
  await page
    .getByRole('main')
    .getByRole('button', { name: /Viktor/ })
    .first()
    .click()
  await lookWide('admin-case-ar', 'main', () => page.getByRole('status').first().waitFor())
  await page.keyboard.press('s')
  await lookWide('admin-suspend-ar', dialog, () => page.getByRole('dialog').getByRole('textbox').first().waitFor())
  await page.context().close()
}

interface Suspended {
  mara: Moderator
  noor: Moderator
  /** Ben in a new session, because the suspension ended his earlier ones. */
  ben: Someone
}

/** Mara warns and then suspends Ben, so that only Noor may decide his appeal. */
async function suspendSomeone({ browser, duet }: Walk): Promise<Suspended> {
  const mara = await administrator(browser, duet, 'Mara')
  const noor = await administrator(browser, duet, 'Noor')
  const [ana, ben] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
  await say(duet, ana, ben, 'Good night')
  await say(duet, ben, ana, 'I know where you live')
  const profile = await report(duet, ana, ben, { kind: 'profile' }, 'harassment')
  const warning = { action: 'warn', ground: 'harassment', statement: 'Please be kind to others.' }
  await decide(duet, mara.who, profile.receipt, warning)
  const { receipt } = await report(duet, ana, ben, { kind: 'message', seq: 2 }, 'threats')
  await decide(duet, mara.who, receipt, { action: 'suspend', days: 7, ground: 'threats', statement })
  return { mara, noor, ben: await signInAgain(duet, ben) }
}

const appealText = 'I meant the café where we wanted to meet, and we had laughed about it before.'
const answer = 'We read it all again. It was about the café, as you say. We are sorry.'

/** Walks through the suspended person's screens, from the suspension to the answer. */
async function standing(walk: Walk): Promise<void> {
  const { browser, duet } = walk
  const { mara, noor, ben } = await suspendSomeone(walk)
  const page = await browserOf(browser, duet, ben, { viewport: { width: 390, height: 844 } })
  const { lookWide, forgive } = lookAt(page, { thrifty: true })
  await page.goto('/home')
  await page.waitForURL(/\/standing$/)
  await page.getByRole('heading', { name: 'Your account is suspended' }).waitFor()
  forgive()
  await lookWide('standing', 'main', () => page.getByText(statement).waitFor())
  await page.getByRole('button', { name: 'Appeal' }).first().click()
  const asked = page.getByRole('dialog', { name: 'Appeal' })
  await lookWide('standing-appeal', dialog, () => asked.waitFor())
  await asked.getByRole('textbox').fill(appealText)
  await asked.getByRole('button', { name: 'Send appeal' }).click()
  await lookWide('standing-appealed', 'main', () => page.getByText('Someone who didn’t make').waitFor())
  const { appeals } = await ask<{ appeals: { id: string; person: Someone }[] }>(
    duet,
    noor.who,
    'GET',
    '/api/admin/appeals',
  )
  const { id } = appeals.find(({ person }) => person.id === ben.id) ?? { id: '' }
  await ask(duet, noor.who, 'POST', `/api/admin/appeals/${id}/decision`, { outcome: 'reversed', answer })
  await page.goto('/settings/safety')
  const own = page.getByRole('list', { name: 'Decisions about your account' })
  const show = async () => {
    await own.waitFor()
    await own.scrollIntoViewIfNeeded()
  }
  await lookWide('settings-standing', undefined, show)
  await standingInArabic(browser, duet, ben)
  for (const one of [page, mara.page, noor.page]) await one.context().close()
}

/** Shows an appeal to the administrator who decided and to another one, and then the figures and the audit log. */
async function appeals(walk: Walk): Promise<void> {
  const { mara, noor, ben } = await suspendSomeone(walk)
  const { sanctions } = await ask<{ sanctions: { id: string }[] }>(walk.duet, ben, 'GET', '/api/standing')
  await ask(walk.duet, ben, 'POST', '/api/appeals', { sanctionId: sanctions[0]?.id, text: appealText })
  const { lookWide: lookMara } = lookAt(mara.page, { thrifty: true })
  await mara.page.goto('/admin?view=appeals')
  await lookMara('admin-appeals-for-others', 'main', () =>
    mara.page.getByText(/has to be decided by someone else/).waitFor(),
  )
  const { page } = noor
  const { lookWide } = lookAt(page, { thrifty: true })
  await resize(page, 390)
  await page.goto('/admin?view=appeals')
  await page.getByRole('list', { name: 'Open appeals' }).getByRole('button').first().click()
  await lookWide('admin-appeal', 'main', () => page.getByText(/^Yours until/).waitFor())
  await page.keyboard.press('v')
  const sheet = page.getByRole('dialog', { name: /^Reverse the decision/ })
  await lookWide('admin-appeal-answer', dialog, () => sheet.waitFor())
  await sheet.getByRole('textbox').fill(answer)
  await sheet.getByRole('button', { name: 'Reverse it' }).click()
  await page.getByText('No appeals for you').waitFor()
  await page.goto('/admin?view=figures')
  await lookWide('admin-figures', 'main', () => page.getByRole('heading', { name: 'Outcomes by week' }).waitFor())
  await page.goto('/admin?view=record')
  await lookWide('admin-record', 'main', () => page.getByText(/^The record is intact/).waitFor())
  for (const one of [mara, noor]) await one.page.context().close()
}

async function standingInArabic(browser: Browser, duet: Duet, who: Someone): Promise<void> {
  const page = await browserOf(browser, duet, who, { locale: 'ar', viewport: { width: 390, height: 844 } })
  const { lookWide } = lookAt(page, { thrifty: true })
  await page.goto('/standing')
  await lookWide('standing-ar', 'main', () => page.getByText(statement).waitFor())
  await page.context().close()
}

/** Walks through a photo's case from the review queue to the appeal, and the removal of profile texts. */
async function rejection({ browser, duet }: Walk): Promise<void> {
  const [mara, noor] = [await administrator(browser, duet, 'Mara'), await administrator(browser, duet, 'Noor')]
  // Adds another person with a long name and photos in the queue.
  const name = 'Keihanaikukauakahihulihekahaunaelemomona'
  const [ana, ben] = [await someone(duet, 'Ana'), await someone(duet, name)]
  for (const colour of ['#3b6ea5', '#7a5c3b']) await addPhoto(duet, ben, await picture(colour))
  const { page } = mara
  const { lookWide } = lookAt(page, { thrifty: true })
  await resize(page, 390)
  await page.goto('/admin?view=photos')
  const first = page.getByRole('listitem').filter({ hasText: name }).first()
  const open = async () => {
    await first.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('menuitem', { name: 'Not suitable' }).waitFor()
  }
  const close = async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  await lookWide('admin-photo-reject', '[role=menu]', open, close)
  await open()
  await page.getByRole('menuitem', { name: 'Nudity or sex' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  const own = await browserOf(browser, duet, ben, { viewport: { width: 390, height: 844 } })
  const { lookWide: lookOwn } = lookAt(own, { thrifty: true })
  await own.goto(`/profile/${ben.id}`)
  const link = own.getByRole('link', { name: 'Not approved: see why' })
  await lookOwn('own-photo-rejected', undefined, async () => link.scrollIntoViewIfNeeded())
  await link.click()
  await lookOwn('standing-photo', 'main', () => own.getByText(/shows nudity/).waitFor())
  const { sanctions } = await ask<{ sanctions: { id: string }[] }>(duet, ben, 'GET', '/api/standing')
  await ask(duet, ben, 'POST', '/api/appeals', { sanctionId: sanctions[0]?.id, text: appealText })
  const { lookWide: lookNoor } = lookAt(noor.page, { thrifty: true })
  await noor.page.goto('/admin?view=appeals')
  await noor.page
    .getByRole('list', { name: 'Open appeals' })
    .getByRole('button', { name: new RegExp(name) })
    .click()
  await lookNoor('admin-appeal-photo', 'main', () => noor.page.getByText(/^Yours until/).waitFor())
  await report(duet, ana, ben, { kind: 'profile' }, 'hate')
  await page.goto('/admin?view=reports')
  await page
    .getByRole('list', { name: 'Open reports' })
    .getByRole('button', { name: new RegExp(`Hate.*${name}`) })
    .click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await lookWide('admin-remove-words', dialog, () => page.getByRole('dialog').getByLabel('Pronouns').waitFor())
  for (const one of [page, own, noor.page]) await one.context().close()
}

async function signInAgain(duet: Duet, { email }: Someone): Promise<Someone> {
  const body = JSON.stringify({ email, password: 'a long password' })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${duet.baseURL}/api/user/authenticate`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Someone
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the authenticator's current code (RFC 6238, six digits, SHA-1). */
function codeOf(secret: string): string {
  const bits = [...secret].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const hash = createHmac('sha1', key).update(step).digest()
  const at = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

async function secondFactor({ browser, duet }: Walk): Promise<void> {
  const { page, who } = await administrator(browser, duet, 'Mara')
  const { lookWide } = lookAt(page, { thrifty: true })
  await resize(page, 390)
  await page.goto('/admin')
  await lookWide('admin-overview', 'main', () => page.getByRole('heading', { name: 'The community' }).waitFor())
  await page.goto('/admin?view=photos')
  await lookWide('admin-photos-empty', 'main', () =>
    page.getByText('No photos to review').or(page.getByRole('main').getByRole('listitem').first()).first().waitFor(),
  )
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await lookWide('admin-factor-setup', 'main', () => page.getByRole('img', { name: /QR/ }).waitFor())
  const secret = (await page.getByText(/^([A-Z2-7]{4} ?){4,}$/).textContent()) ?? ''
  await page.getByLabel('The code it shows now').fill(codeOf(secret.replaceAll(' ', '')))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await lookWide('admin-factor-codes', 'main', () => page.getByRole('list', { name: 'Recovery codes' }).waitFor())
  const recovery =
    (await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').first().textContent()) ?? ''
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('navigation', { name: 'Administration' }).waitFor()
  const elsewhere = { ...(await signInAgain(duet, who)), isSuperAdmin: true }
  const other = await browserOf(browser, duet, elsewhere, { viewport: { width: 390, height: 844 } })
  const { lookWide: lookElsewhere } = lookAt(other, { thrifty: true })
  await other.goto('/admin')
  await lookElsewhere('admin-factor-prompt', 'main', () => other.getByLabel('Code').waitFor())
  await other.getByRole('button', { name: 'Use a recovery code' }).click()
  await other.getByLabel('Recovery code').fill(recovery.toLowerCase())
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.getByRole('navigation', { name: 'Administration' }).waitFor()
  for (const one of [page, other]) await one.context().close()
}

export const moderationWalks: Record<string, (walk: Walk) => Promise<void>> = {
  'queues without cases': emptyQueues,
  'cases and decisions': cases,
  'standing and an appeal': standing,
  'appeals, figures and the record': appeals,
  'a rejected photo and words': rejection,
  'a second factor': secondFactor,
}
