import type { Locator, Page } from '@playwright/test'
import { io } from 'socket.io-client'
import type { Duet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { finger, type Hand, keyboard } from './hands.ts'
import { browserOf, picture, type Someone, someone, wellington } from './people.ts'

test.use({ serverEnvironment: { DEMO: 'off', SUPER_ADMIN_EMAIL: 'boss@example.com' } })

let boss: Someone
test.beforeAll(async ({ duet }) => {
  boss = await someone(duet, 'Boss', { email: 'boss@example.com' })
})

async function say(duet: Duet, from: Someone, to: Someone, message: string, photo?: Buffer): Promise<void> {
  const socket = io(duet.baseURL, { auth: { token: from.token }, forceNew: true })
  const ids = { id: crypto.randomUUID(), senderId: from.id, receiverId: to.id }
  const attachmentId = photo && (await upload(duet, from, to, photo))
  const answer = (await socket.emitWithAck('send_message', { ...ids, message, attachmentId })) as { ok: boolean }
  expect(answer).toMatchObject({ ok: true })
  socket.disconnect()
}

async function upload(duet: Duet, from: Someone, to: Someone, photo: Buffer): Promise<string> {
  const body = new FormData()
  body.set('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg')
  const headers = { authorization: `Bearer ${from.token}` }
  const response = await fetch(`${duet.baseURL}/api/conversations/${to.id}/attachments`, {
    method: 'POST',
    headers,
    body,
  })
  return ((await response.json()) as { id: string }).id
}

async function sendReport(page: Page, title: string, reason: string, hand: Hand): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  await hand.check(dialog.getByRole('radio', { name: reason }))
  await hand.press(dialog.getByRole('button', { name: 'Send report' }))
  const sent = page.getByRole('dialog', { name: 'Thank you for telling us' })
  const receipt = (await sent.getByText(/^\d{4}-\d{4}$/).textContent()) ?? ''
  await hand.press(sent.getByRole('button', { name: 'Done' }))
  return receipt
}

const isBlurred = (locator: Locator) =>
  locator.evaluate((element) => getComputedStyle(element).filter.includes('blur('))

async function showEvidence(admin: Page, receipt: string): Promise<Locator> {
  await admin.goto(`/admin?view=reports&case=${receipt}`)
  const report = admin.getByRole('article').filter({ hasText: receipt })
  await expect(report).toBeVisible()
  await expect(report.locator('[inert]')).toBeAttached()
  expect(await isBlurred(report.locator('[inert]'))).toBe(true)
  await report.getByRole('button', { name: 'Show the evidence' }).click()
  await expect(report.locator('[inert]')).toHaveCount(0)
  return report
}

const loads = (image: Locator) =>
  expect
    .poll(() => image.evaluate((one) => (one instanceof HTMLImageElement ? one.naturalWidth : 0)))
    .toBeGreaterThan(0)

test('a message is reported in three taps, and the evidence outlives the message', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const [anaWho, benWho] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
  await say(duet, anaWho, benWho, 'Hello Ben')
  await say(duet, benWho, anaWho, 'Pay me, or everybody sees this', await picture('#3b6ea5'))
  const ana = await browserOf(browser, duet, anaWho, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await ana.goto(`/chat/${benWho.id}`)
  await ana.getByRole('log').getByText('Pay me').click({ button: 'right' })
  await ana.getByRole('menuitem', { name: 'Report' }).tap()
  // Ana doesn't block Ben yet, so that he can delete the message.
  await ana.getByRole('switch', { name: 'Block Ben as well' }).tap()
  const receipt = await sendReport(ana, 'Report this message', 'Blackmail with private images', finger)
  await ana.goto('/settings/safety')
  const own = ana.getByRole('list', { name: 'My reports' }).getByRole('listitem')
  await expect(own).toHaveText(new RegExp(`Ben.*Blackmail with private images.*${receipt}.*Open`))

  const admin = await browserOf(browser, duet, boss)
  let report = await showEvidence(admin, receipt)
  await expect(report.getByText('Pay me, or everybody sees this')).toBeVisible()
  const photo = report.getByRole('button', { name: 'Look at the attached photo' })
  expect(await isBlurred(photo.locator('span').first())).toBe(true)
  await photo.click()
  await expect(photo).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => isBlurred(photo.locator('span').first())).toBe(false)

  const ben = await browserOf(browser, duet, benWho, { viewport: { width: 820, height: 900 } })
  await ben.goto(`/chat/${anaWho.id}`)
  await ben.getByRole('log').getByText('Pay me').click({ button: 'right' })
  await ben.getByRole('menuitem', { name: 'Delete' }).click()
  await ben.getByRole('dialog', { name: 'Delete this message?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(ben.getByRole('log').getByText('This message was deleted')).toBeVisible()
  report = await showEvidence(admin, receipt)
  await expect(report.getByText('Pay me, or everybody sees this')).toBeVisible()
  await report.getByRole('button', { name: 'Look at the attached photo' }).scrollIntoViewIfNeeded()
  await loads(report.getByRole('button', { name: 'Look at the attached photo' }).locator('img'))
  for (const page of [ana, ben, admin]) await page.context().close()
})

test('a photo on a profile is reported by touch, and one on a card by keyboard', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const at = wellington
  const anaWho = await someone(duet, 'Ana', { at, profile: { gender: 'woman', interestedIn: [] }, photo: '#804020' })
  const theirs = { at, profile: { gender: 'man' }, photo: '#3b6ea5' }
  const [benWho, karlWho] = [await someone(duet, 'Ben', theirs), await someone(duet, 'Karl', theirs)]
  const phone = await browserOf(browser, duet, anaWho, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await phone.goto(`/profile/${benWho.id}`)
  await phone.getByRole('button', { name: 'More about Ben’s photo 1' }).tap()
  await phone.getByRole('menuitem', { name: 'Report this photo' }).tap()
  const first = await sendReport(phone, 'Report this photo', 'Unwanted sexual content', finger)
  await expect(phone).toHaveURL(/\/home$/)
  await phone.context().close()

  const page = await browserOf(browser, duet, anaWho, { viewport: { width: 1440, height: 900 } })
  await page.goto('/home')
  await expect(page.locator('[data-card=top]')).toHaveAttribute('aria-label', /^Karl/)
  await keyboard.press(page.getByRole('button', { name: 'More about Karl’s photo 1' }))
  await page.getByRole('menuitem', { name: 'Report this photo' }).waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  const second = await sendReport(page, 'Report this photo', 'Fake profile', keyboard)
  await expect(page.locator('[data-card=top]')).toHaveCount(0)
  await page.context().close()

  const admin = await browserOf(browser, duet, boss)
  for (const [receipt, who] of [[first, benWho] as const, [second, karlWho] as const]) {
    const report = await showEvidence(admin, receipt)
    await expect(report.getByText('A photo', { exact: true })).toBeVisible()
    await expect(report.getByRole('link', { name: who.name })).toHaveAttribute('href', `/profile/${who.id}`)
    await loads(report.getByRole('list', { name: 'Copied photos' }).locator('img'))
  }
  await admin.context().close()
})
