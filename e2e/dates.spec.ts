import type { Browser, Page } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { type Look, lookAt, resize } from './look.ts'
import { browserOf, type Someone, say, someone, wellington } from './people.ts'

// Someone shares a date with a friend who has no account. The friend's page shows the date and the check-in, and
// nothing once the date has ended. Server tests cover what depends only on the time.

async function cast(duet: Duet): Promise<{ mina: Someone; ben: Someone }> {
  const mina = await someone(duet, 'Mina', { at: wellington, photo: '#c96f4a' })
  const ben = await someone(duet, 'Ben', { at: wellington, photo: '#6b7fa5' })
  await say(duet, ben, mina, 'Coffee tonight?')
  await say(duet, mina, ben, 'Yes!')
  return { mina, ben }
}

/** A time `minutes` ago, as a datetime-local value in the browser's time zone. */
const minutesAgo = (page: Page, minutes: number) =>
  page.evaluate((ms) => {
    const then = new Date(Date.now() - ms)
    return new Date(then.getTime() - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  }, minutes * 60_000)

async function shareFromChat(page: Page, ben: Someone, minutes: number): Promise<string> {
  await page.goto(`/chat/${ben.id}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Share a date' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share a date' })
  await dialog.getByLabel('Where').fill('Café Central, Long Street 4')
  await dialog.getByLabel('When').fill(await minutesAgo(page, minutes))
  await dialog.getByLabel('Anything else (optional)').fill('By tram, home by eleven.')
  await dialog.getByLabel('Check in with me').selectOption({ label: '30 minutes after it starts' })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = page.getByRole('dialog', { name: 'Your link is ready' }).getByText(/\/date\/[\w-]{43}$/)
  return (await link.textContent()) ?? ''
}

async function friend(browser: Browser): Promise<Page & { seen: Look }> {
  const page = await (await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })).newPage()
  return Object.assign(page, { seen: lookAt(page, { thrifty: true }) })
}

test('someone shares a date from a chat, a friend reads it without an account, and it ends after the check-in', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const { mina, ben } = await cast(duet)
  const page = await browserOf(browser, duet, mina)
  const { look, lookWide } = lookAt(page, { thrifty: true })
  const url = await shareFromChat(page, ben, 40)
  await lookWide('date-link', '[role=dialog]', async () => undefined)

  const other = await friend(browser)
  const answer = await other.goto(url)
  expect(answer?.headers()).toMatchObject({
    ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' },
  })
  await expect(other.getByRole('heading', { name: 'Mina is meeting Ben' })).toBeVisible()
  for (const name of ['Mina', 'Ben']) {
    const photo = other.getByRole('img', { name })
    expect(await photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
  }
  await expect(other.getByText('Café Central, Long Street 4')).toBeVisible()
  await expect(other.getByText(/Mina should check in now/)).toBeVisible()
  expect(await other.content()).not.toContain(ben.id)
  await other.seen.lookWide('date-page', undefined, async () => undefined)

  await page.goto('/dates')
  await page.getByRole('button', { name: 'I’m OK' }).waitFor()
  await lookWide('dates', 'main', async () => undefined)
  await page.getByRole('button', { name: 'I’m OK' }).click()
  await expect(page.getByText(/You checked in at/)).toBeVisible()
  await other.reload()
  await expect(other.getByText(/Mina checked in at .* and is OK/)).toBeVisible()

  await page.getByRole('button', { name: 'Stop sharing' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click()
  await expect(page.getByText('No shared dates yet.')).toBeVisible()
  await look('dates-none', 'main')
  other.seen.forgive()
  await other.reload()
  await expect(other.getByRole('heading', { name: 'There’s nothing here' })).toBeVisible()
  await page.context().close()
  await other.context().close()
})

test('the page shows a missed check-in, and still names the other person after they block the owner', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const { mina, ben } = await cast(duet)
  const page = await browserOf(browser, duet, mina)
  const url = await shareFromChat(page, ben, 120)
  const other = await friend(browser)
  await other.goto(url)
  await expect(other.getByText(/Mina hasn’t checked in since/)).toBeVisible()
  await resize(other, 390)
  await other.seen.look('date-page-missed')
  await other.evaluate(() => localStorage.setItem('language', 'ar'))
  await other.reload()
  await other.seen.lookWide('date-page-rtl', undefined, () => other.getByText(/Mina/).first().waitFor())
  await fetch(`${duet.baseURL}/api/blocks/${mina.id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ben.token}` },
  })
  await other.evaluate(() => localStorage.setItem('language', 'en'))
  await other.reload()
  await expect(other.getByRole('heading', { name: 'Mina is meeting Ben' })).toBeVisible()
  await page.context().close()
  await other.context().close()
})

test('the form for a date fits in three widths, both themes and from right to left', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { mina, ben } = await cast(duet)
  const page = await browserOf(browser, duet, mina)
  const { lookWide } = lookAt(page, { thrifty: true })
  await page.goto(`/chat/${ben.id}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Share a date' }).click()
  await lookWide('date-form', '[role=dialog]', () => page.getByLabel('Where').waitFor())
  await page.evaluate(() => localStorage.setItem('language', 'ar'))
  await page.goto('/dates')
  await page.getByRole('main').getByRole('button', { name: 'مشاركة موعد' }).click()
  await lookWide('date-form-rtl', '[role=dialog]', () => page.getByLabel('المكان').waitFor())
  await page.context().close()
})

test('the safety centre is available without an account, in every language', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const page = await friend(browser)
  const { lookWide } = page.seen
  await page.goto(`${duet.baseURL}/login`)
  await page.getByRole('link', { name: 'Stay safe' }).click()
  await page.getByRole('heading', { level: 1, name: 'Stay safe' }).waitFor()
  await page.getByLabel('Where you are').selectOption({ label: 'United Kingdom' })
  await expect(page.getByRole('link', { name: /999/ })).toHaveAttribute('href', 'tel:999')
  await lookWide('safety', undefined, async () => undefined)
  await page.getByRole('link', { name: /What Duet can see/ }).click()
  await page.getByRole('heading', { level: 1, name: 'What Duet can see' }).waitFor()
  await lookWide('what-we-see', undefined, async () => undefined)
  await page.getByRole('button', { name: 'العربية' }).click()
  await expect(page.locator('html[dir=rtl]')).toBeAttached()
  await lookWide('what-we-see-rtl', undefined, async () => undefined)
  await page.goto(`${duet.baseURL}/safety`)
  await lookWide('safety-rtl', undefined, () => page.getByRole('heading', { level: 1 }).waitFor())
  await page.context().close()
})
