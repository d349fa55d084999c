import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import yauzl from 'yauzl'
import type { Duet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { lookAt, resize, widths } from './look.ts'
import { browserOf, type Someone, say, someone, wellington } from './people.ts'

async function pair(duet: Duet): Promise<{ mina: Someone; ben: Someone }> {
  const mina = await someone(duet, 'Mina', { at: wellington, photo: '#c96f4a', profile: { gender: 'woman' } })
  const ben = await someone(duet, 'Ben', { at: wellington, photo: '#6b7fa5', profile: { gender: 'man' } })
  await say(duet, ben, mina, 'Do you know the harbour?')
  return { mina, ben }
}

function namesIn(bytes: Buffer): Promise<string[]> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, (error, zip) => {
      if (error) return reject(error)
      const names: string[] = []
      zip.on('entry', ({ fileName }: yauzl.Entry) => names.push(fileName))
      zip.on('end', () => resolve(names))
      zip.on('error', reject)
    })
  })
}

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Data' })
const stateOf = async (duet: Duet, who: Someone, of: Someone) => {
  const { status } = await fetch(`${duet.baseURL}/api/user/${of.id}`, {
    headers: { authorization: `Bearer ${who.token}` },
  })
  return status
}

/** Answers the first POST with the server's request to sign in again, which really comes only after ten minutes. */
async function askOnce(page: Page, path: string): Promise<void> {
  let asked = false
  await page.route(`**${path}`, (route) => {
    if (asked || route.request().method() !== 'POST') return route.continue()
    asked = true
    const problem = {
      type: 'urn:x',
      title: 'x',
      status: 403,
      detail: 'x',
      code: 'reauthentication_required',
      requestId: 'x',
    }
    return route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify(problem) })
  })
}

test('someone confirms who they are, requests their export, and opens the downloaded file', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { mina } = await pair(duet)
  const page = await browserOf(browser, duet, mina, { acceptDownloads: true })
  const { look, forgive } = lookAt(page, { thrifty: true })
  await askOnce(page, '/api/export')
  await resize(page, 390)
  await page.goto('/settings/data')
  await heading(page).scrollIntoViewIfNeeded()
  await look('your-data')
  await page.getByRole('button', { name: 'Prepare download' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByRole('button', { name: 'Send code' }).click()
  forgive()
  for (const width of widths) {
    await resize(page, width)
    await look('step-up', '[role=dialog]')
  }
  await dialog.getByLabel('Code').fill(await duet.outbox(mina.email))
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const link = page.getByRole('link', { name: 'Download' })
  await expect(link).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('duet-data.zip')
  const names = await namesIn(await readFile(await download.path()))
  expect(names).toEqual(expect.arrayContaining(['data.json', 'index.html']))
  expect(names.filter((name) => name.startsWith('photos/'))).toHaveLength(1)
  for (const width of widths) {
    await resize(page, width)
    await heading(page).scrollIntoViewIfNeeded()
    await look('your-data-ready')
  }
  await page.evaluate(() => localStorage.setItem('language', 'ar'))
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'البيانات' })).toBeVisible()
  for (const width of widths) {
    await resize(page, width)
    await page.getByRole('heading', { level: 1, name: 'البيانات' }).scrollIntoViewIfNeeded()
    await look('your-data-rtl')
  }
  await page.context().close()
})

test('nobody finds someone who has withdrawn their location', { tag: '@long' }, async ({ browser, duet }) => {
  const { mina, ben } = await pair(duet)
  const page = await browserOf(browser, duet, mina)
  const { look } = lookAt(page, { thrifty: true })
  const near = async () => {
    const headers = { authorization: `Bearer ${ben.token}` }
    const answer = await fetch(`${duet.baseURL}/api/user/nearBy`, { headers })
    return ((await answer.json()) as { users: { id: string }[] }).users.map(({ id }) => id)
  }
  await expect.poll(near).toContain(mina.id)
  await resize(page, 390)
  await page.goto('/settings/data')
  const place = page.getByRole('switch', { name: /Your location/ })
  await expect(place).toBeChecked()
  await place.click()
  const dialog = page.getByRole('dialog', { name: 'Remove your location?' })
  await expect(dialog).toBeVisible()
  await look('consent', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Remove my location' }).click()
  await expect(place).not.toBeChecked()
  await expect.poll(near).not.toContain(mina.id)
  await page.context().close()
})

for (const width of widths)
  test(`at ${width} px the button that deletes doesn’t move while the consents load`, {
    tag: '@long',
  }, async ({ browser, duet }) => {
    const { mina } = await pair(duet)
    const page = await browserOf(browser, duet, mina, { viewport: { width, height: 900 } })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/consents', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/settings/data')
    await page.getByRole('button', { name: 'Prepare download' }).waitFor()
    await page.evaluate(() => document.fonts.ready)
    const button = page.getByRole('button', { name: 'Delete my account' })
    const before = await button.boundingBox()
    release()
    await page.getByRole('switch', { name: /^Your location/ }).waitFor()
    expect(await button.boundingBox()).toEqual(before)
    await page.context().close()
  })

test('someone who deletes their account is hidden immediately, and reappears if they keep it', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const { mina, ben } = await pair(duet)
  const page = await browserOf(browser, duet, mina)
  const { look } = lookAt(page, { thrifty: true })
  await page.goto('/settings/data')
  expect(await stateOf(duet, ben, mina)).toBe(200)
  for (const width of widths) {
    await resize(page, width)
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await expect(page.getByRole('dialog', { name: 'Delete your account?' })).toBeVisible()
    await look('delete-account', '[role=dialog]')
    await page.getByRole('dialog').getByRole('button', { name: 'Keep my account' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('heading', { name: /^Your account will be deleted on/ })).toBeVisible()
  await expect.poll(() => stateOf(duet, ben, mina)).toBe(404)
  // The same page appears at every address, and after signing in again.
  await page.goto('/home')
  await expect(page.getByRole('button', { name: 'Keep my account' })).toBeVisible()
  for (const width of widths) {
    await resize(page, width)
    await look('leaving')
  }
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect.poll(() => stateOf(duet, ben, mina)).toBe(200)
  await page.context().close()
})
