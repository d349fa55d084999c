import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from './fixtures.ts'
import { browserOf, someone, wellington } from './people.ts'
import { gather } from './screen-people.ts'

// Takes pictures of empty states, errors and a match, on a phone: WELCOME_PICTURES=docs/screens npx playwright test -c
// e2e states
const folder = process.env.WELCOME_PICTURES ?? ''
const phone = { viewport: { width: 390, height: 844 } }

test.use({ serverEnvironment: { SUPER_ADMIN_EMAIL: 'boss@example.com', DEMO: 'on' } })

async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  // Wait until images have loaded and faded in.
  await page.waitForTimeout(700)
  await sharp(await page.screenshot())
    .webp({ quality: 70 })
    .toFile(join(folder, `state-${name}.webp`))
}

test.use({ actionTimeout: 60_000 })

test('pictures of states', async ({ browser, duet }) => {
  const { ana } = await gather(duet, { demo: true })
  // Nobody in the demo world matches Dora's age filter.
  const dora = await someone(duet, 'Dora', { at: wellington, profile: { ageMin: 98, ageMax: 99 } })
  const alone = await browserOf(browser, duet, dora, phone)
  await alone.goto('/home')
  await alone.getByText(/^No one matches/).waitFor()
  await take(alone, 'empty-deck')
  await alone.goto('/likes')
  await alone.getByRole('heading').first().waitFor()
  await take(alone, 'no-likes-yet')
  await alone.goto('/chat')
  await alone.getByText('No messages yet').waitFor()
  await take(alone, 'no-chats-yet')
  await alone.goto('/questions')
  await alone.getByRole('link', { name: 'Start' }).waitFor()
  await take(alone, 'questions-begin')
  await alone.route('**/api/deck*', (route) => route.fulfill({ status: 503 }))
  await alone.goto('/home')
  await alone.getByRole('button', { name: 'Retry' }).waitFor()
  await take(alone, 'error-with-retry')

  const page = await browserOf(browser, duet, ana, phone)
  await page.goto('/home')
  await page.locator('[data-card=top] img').first().waitFor()
  await page.context().setOffline(true)
  await page.getByText('You’re offline. What you see may be out of date.').waitFor()
  await take(page, 'offline')
  await page.context().setOffline(false)
  await page.goto('/likes')
  await page.getByRole('button', { name: /^Like back/ }).click()
  await page.getByRole('dialog', { name: /^It’s a match/ }).waitFor()
  await take(page, 'match')

  const visitor = await browserOf(browser, duet, undefined, phone)
  await visitor.goto('/signup')
  await visitor.getByLabel('Email').fill('mira@example.com')
  await visitor.getByRole('button', { name: 'Continue' }).click()
  await visitor.getByLabel('Code').fill('11111111')
  await visitor.getByRole('button', { name: 'Continue' }).click()
  await expect(visitor.getByText('That code isn’t right')).toBeVisible()
  await take(visitor, 'wrong-code')
  for (const one of [alone, page, visitor]) await one.context().close()
})
