import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Duet, mailsIn } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { lookAt, resize } from './look.ts'
import { browserOf, someone } from './people.ts'

const row = (page: Page, id: string) => page.locator(`#${id}`)
const dialog = (page: Page) => page.getByRole('dialog')

/** Returns the path of the undo link in the email that the previous address gets. */
function undoPath({ dataDir }: Duet): string {
  const folder = join(dataDir, 'outbox')
  for (const name of mailsIn(folder)) {
    const mail = readFileSync(join(folder, name), 'utf8').replace(/=\r?\n/g, '')
    const path = /\/undo-address#[\w-]{64}/.exec(mail)?.[0]
    if (path) return path
  }
  return ''
}

test('someone whose email address was changed undoes the change and signs in again', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const ana = await someone(duet, 'Ana')
  const page = await browserOf(browser, duet, ana)
  await page.goto('/settings/account#address')
  await row(page, 'address').getByRole('button', { name: 'Change' }).click()
  await dialog(page).getByLabel('New email').fill('somewhere.else@example.com')
  await dialog(page).getByRole('button', { name: 'Send code' }).click()
  await dialog(page)
    .getByLabel('Code')
    .fill(await duet.outbox('somewhere.else@example.com'))
  await dialog(page).getByRole('button', { name: 'Change email' }).click()
  await expect(row(page, 'address')).toContainText('somewhere.else@example.com')
  await expect.poll(() => undoPath(duet)).not.toBe('')

  const owner = await browserOf(browser, duet, undefined)
  await owner.goto(undoPath(duet))
  await owner.getByRole('button', { name: 'Undo the change' }).click()
  await expect(owner.getByRole('heading', { name: 'Your address is back' })).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  await owner.getByRole('link', { name: 'Sign in' }).click()
  await owner.getByRole('textbox', { name: 'Email' }).fill(ana.email)
  await owner.getByRole('button', { name: 'Send code' }).click()
  await owner.getByRole('textbox', { name: 'Code' }).fill(await duet.outbox(ana.email))
  await owner.getByRole('checkbox', { name: 'Stay signed in on this device' }).check()
  await owner.getByRole('button', { name: 'Sign in' }).click()
  await expect(owner).not.toHaveURL(/\/login/)
  for (const one of [page, owner]) await one.context().close()
})

test('recovery codes are shown once, and one of them signs in', { tag: '@long' }, async ({ browser, duet }) => {
  const ben = await someone(duet, 'Ben')
  const page = await browserOf(browser, duet, ben)
  await page.goto('/settings/account')
  await row(page, 'recovery-codes').getByRole('button', { name: 'Create codes' }).click()
  await dialog(page).getByRole('button', { name: 'Create codes' }).click()
  await expect(dialog(page).getByRole('listitem')).toHaveCount(10)
  const code = (await dialog(page).getByRole('listitem').first().textContent()) ?? ''
  await dialog(page).getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(row(page, 'recovery-codes')).toContainText('10 unused codes')
  const visitor = await browserOf(browser, duet, undefined)
  await visitor.goto('/login')
  await visitor.getByRole('textbox', { name: 'Email' }).fill(ben.email)
  await visitor.getByRole('button', { name: 'Use a recovery code' }).click()
  await visitor.getByRole('textbox', { name: 'Recovery code' }).fill(code)
  await visitor.getByRole('button', { name: 'Sign in' }).click()
  await expect(visitor).not.toHaveURL(/\/login/)
  for (const one of [page, visitor]) await one.context().close()
})

test('the account access settings fit and are accessible in every width, in both themes, and right to left', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, await someone(duet, 'Cleo'))
  const { look, lookWide } = lookAt(page, { thrifty: true })
  await page.goto('/settings/account')
  const list = () => row(page, 'recovery-codes').waitFor()
  await lookWide('access', undefined, list)
  const close = async () => {
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
  }
  const open = (id: string) => async () => {
    await row(page, id).getByRole('button').first().click()
    await dialog(page).waitFor()
  }
  await lookWide('access-address', '[role=dialog]', open('address'), close)
  await lookWide('access-password', '[role=dialog]', open('password'), close)
  await open('recovery-codes')()
  await dialog(page).getByRole('button', { name: 'Create codes' }).click()
  await dialog(page).getByRole('listitem').first().waitFor()
  await look('access-codes', '[role=dialog]')
  await resize(page, 390)
  await look('access-codes', '[role=dialog]')
  await dialog(page).getByRole('button', { name: 'I’ve saved them' }).click()
  await page.evaluate(() => localStorage.setItem('language', 'ar'))
  for (const [name, path] of [
    ['access-rtl', '/settings/account'],
    ['undo-rtl', '/undo-address#x'],
  ] as const) {
    await page.goto(path)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await look(name)
  }
  await page.context().close()
})
