import { randomUUID } from 'node:crypto'
import { startProvider, type TestProvider } from '../server/src/test/oidc-provider.ts'
import { test as base, expect } from './fixtures.ts'
import { lookAt } from './look.ts'

// Sign-in through the operator's identity provider. Here it is a test provider on this machine.

const test = base.extend<object, { provider: TestProvider }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants it so
    async ({}, use) => {
      const provider = await startProvider()
      await use(provider)
      await provider.close()
    },
    { scope: 'worker' },
  ],
  serverEnvironment: [async ({ provider }, use) => use({ DEMO: 'off', ...provider.environment }), { scope: 'worker' }],
})

test('someone signs up and in through the provider, removes it, and learns why it no longer works', {
  tag: '@long',
}, async ({ page, provider }) => {
  const email = `${randomUUID()}@example.com`
  provider.people.set('ana', { email, email_verified: true })
  const byProvider = page.getByRole('button', { name: 'Sign in with Chess Club' })
  const next = () => page.getByRole('button', { name: 'Continue' }).click()

  await page.goto('/login')
  await byProvider.scrollIntoViewIfNeeded()
  await lookAt(page).look('login-with-provider')
  await byProvider.click()
  await page.getByRole('button', { name: "Don't sign in" }).click()
  await expect(page.getByRole('alert')).toContainText('Chess Club didn’t sign you in')
  await expect(page).toHaveURL(/\/login$/)

  await byProvider.click()
  await page.getByLabel('Name').fill('ana')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/signup\?step=name$/)
  await page.getByLabel('Name').fill('Ana')
  await next()
  await page.getByLabel('Day').fill('17')
  await page.getByLabel('Month').fill('05')
  await page.getByLabel('Year').fill('1994')
  await page.getByRole('checkbox').check()
  await next()
  await expect(page).toHaveURL(/step=who$/)

  await page.goto('/settings/account')
  const row = page.locator('[id^=linked-]')
  await expect(row).toContainText('Signs you in')
  await page.getByRole('button', { name: 'Sign out', exact: true }).last().click()
  await page.goto('/login')
  await byProvider.click()
  await expect(page).not.toHaveURL(/\/login/)

  await page.goto('/settings/account')
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(row).toContainText('You removed it')
  await lookAt(page).look('settings-linked-account')
  await page.getByRole('button', { name: 'Sign out', exact: true }).last().click()
  await page.goto('/login')
  await byProvider.click()
  await expect(page.getByRole('alert')).toContainText('you removed it')
  await expect(page).toHaveURL(/\/login$/)
})
