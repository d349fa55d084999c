import { randomUUID } from 'node:crypto'
import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { finger, type Hand, keyboard, mouse } from './hands.ts'
import { picture, someone } from './people.ts'

const wrongCode = (right: string) => String((Number(right) + 1) % 100_000_000).padStart(8, '0')
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const hands: Record<string, { hand: Hand; options: BrowserContextOptions }> = {
  'a finger on a phone': { hand: finger, options: phone },
  'a mouse': { hand: mouse, options: { viewport: { width: 1440, height: 900 } } },
  'the keyboard alone': { hand: keyboard, options: { viewport: { width: 1440, height: 900 } } },
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const stepOf = (page: Page, number: number) => page.getByText(`${number} of 9`)

/** The distance between a field and Continue, in pixels. */
async function gapBelow(field: Locator, page: Page): Promise<number> {
  const [above, below] = [await field.boundingBox(), await page.getByRole('button', { name: 'Continue' }).boundingBox()]
  return above && below ? below.y - above.y - above.height : Number.POSITIVE_INFINITY
}

for (const [means, { hand, options }] of Object.entries(hands)) {
  test(`someone signs up with ${means}, with wrong answers, reloads and going back`, { tag: '@long' }, async ({
    browser,
    duet,
  }) => {
    const page = await (await browser.newContext({ baseURL: duet.baseURL, locale: 'en-GB', ...options })).newPage()
    const email = `${randomUUID()}@example.com`
    const next = () => hand.press(page.getByRole('button', { name: 'Continue' }))
    await page.goto('/login')
    await hand.press(page.getByRole('link', { name: 'Create an account' }))
    await hand.write(page.getByLabel('Email'), 'no-one')
    if (means === 'a mouse') await expect.poll(() => gapBelow(page.getByLabel('Email'), page)).toBeLessThan(160)
    await next()
    await expect(page.getByLabel('Email')).toBeFocused()
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
    await hand.write(page.getByLabel('Email'), email)
    await next()
    const code = await duet.outbox(email)

    // A wrong code is rejected, and a reload stays at the code step.
    await page.reload()
    await hand.write(page.getByLabel('Code'), wrongCode(code))
    await next()
    await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true')
    await expect(stepOf(page, 2)).toBeVisible()
    await page.getByLabel('Code').fill('')
    await hand.write(page.getByLabel('Code'), code)
    await next()
    await hand.write(page.getByLabel('Name'), 'Ana')
    await next()
    await expect(stepOf(page, 4)).toBeVisible()

    // Going back, with the app's button or the browser's, and forward again doesn't request another code.
    await hand.press(page.getByRole('button', { name: 'Back' }))
    await expect(page.getByLabel('Name')).toHaveValue('Ana')
    await page.goBack()
    await expect(page.getByLabel('Code')).toHaveValue(code)
    await next()
    await expect(page.getByLabel('Name')).toHaveValue('Ana')
    await next()
    await hand.write(page.getByLabel('Day'), '17')
    await hand.write(page.getByLabel('Month'), '05')
    await hand.write(page.getByLabel('Year'), '1994')
    await page.reload()
    await expect(page.getByLabel('Year')).toHaveValue('1994')
    await hand.check(page.getByRole('checkbox'))
    await next()

    await expect(stepOf(page, 5)).toBeVisible()
    expect(await page.evaluate(() => sessionStorage.getItem('entry') ?? '')).not.toContain(code)
    await hand.check(page.getByLabel('Nonbinary', { exact: true }))
    await hand.press(page.getByRole('button', { name: 'Women', exact: true }))
    await page.reload()
    await expect(page.getByLabel('Nonbinary', { exact: true })).toBeChecked()
    await expect(page.getByRole('button', { name: 'Women', exact: true })).toHaveAttribute('aria-pressed', 'true')
    await next()
    await hand.check(page.getByLabel(/^Dating/))
    await next()

    await expect(stepOf(page, 7)).toBeVisible()
    await next()
    await expect(page.getByRole('alert')).toHaveCount(1)
    const missing = (await page.getByRole('alert').textContent()) ?? ''
    await hand.press(page.getByRole('button', { name: 'Use my location' }))
    await expect(page.getByRole('alert')).not.toHaveText(missing)
    await expect(page.getByRole('alert')).toHaveCount(1)
    await page.goBack()
    await expect(page.getByLabel(/^Dating/)).toBeChecked()
    await next()
    await hand.write(page.getByRole('combobox'), 'Welling')
    await page
      .getByRole('option', { name: /Wellington/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')

    await expect(stepOf(page, 8)).toBeVisible()
    const file = page.locator('input[type=file]').first()
    const small = await picture('#a05030', 120)
    await file.setInputFiles({ name: 'small.jpg', mimeType: 'image/jpeg', buffer: small })
    await expect(page.getByRole('alert')).toContainText('200')
    await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') })
    await expect(page.getByRole('alert')).toContainText('JPEG')
    await file.setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await picture('#a05030') })
    await expect(page.getByRole('button', { name: /photo 1/i }).first()).toBeVisible()
    await next()
    await expect(stepOf(page, 9)).toBeVisible()
    await hand.press(page.getByRole('button', { name: 'Show all' }))
    await hand.press(page.getByRole('button', { name: 'My perfect Sunday' }))
    await hand.write(page.getByLabel('My perfect Sunday'), 'The market, then nothing.')
    await page.reload()
    await expect(page.getByLabel('My perfect Sunday')).toHaveValue('The market, then nothing.')
    await next()
    await expect(heading(page, /Ana/)).toBeVisible()
    expect(await page.evaluate(() => sessionStorage.getItem('entry'))).toBeNull()
    await hand.press(page.getByRole('link', { name: 'Meet people' }))
    await expect(page).toHaveURL(/\/home$/)
    await page.context().close()
  })
}

test('the right code for an address that has an account signs in', { tag: '@long' }, async ({ browser, duet }) => {
  const ana = await someone(duet, 'Ana')
  const page = await (await browser.newContext({ baseURL: duet.baseURL, locale: 'en-GB', ...phone })).newPage()
  const next = () => page.getByRole('button', { name: 'Continue' }).tap()
  await page.goto('/signup')
  await page.getByLabel('Email').fill(ana.email)
  await next()
  await page.getByLabel('Code').fill(await duet.outbox(ana.email))
  await next()
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByText('Welcome back, Ana.')).toBeVisible()
  await page.context().close()
})

test('on a phone the first page starts with what Duet is, and asks for a password only on request', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const ana = await someone(duet, 'Ana')
  const page = await (await browser.newContext({ baseURL: duet.baseURL, locale: 'en-GB', ...phone })).newPage()
  await page.goto('/')
  await expect(page).toHaveURL(/\/login$/)
  await expect(heading(page, 'Two people, one conversation.')).toBeInViewport()
  const create = page.getByRole('link', { name: 'Create an account' })
  await expect(create).toBeInViewport()
  expect((await create.boundingBox())?.width).toBeGreaterThan(300)
  await expect(page.getByLabel('Password')).toHaveCount(0)
  await page.getByRole('button', { name: 'Use a password' }).tap()
  await page.getByLabel('Email').fill(ana.email)
  await page.getByLabel('Password').fill('a long password')
  await page.getByRole('button', { name: 'Sign in' }).tap()
  await expect(page).toHaveURL(/\/home$/)
  await page.context().close()
})
