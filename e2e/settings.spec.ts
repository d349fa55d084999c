import type { Browser, Page } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { finger, type Hand, keyboard, mouse } from './hands.ts'
import { lookAt, resize, widths } from './look.ts'
import { administrator } from './moderators.ts'
import { browserOf, someone } from './people.ts'

const sections = ['Account', 'Profile', 'Notifications', 'Privacy', 'Safety', 'Appearance', 'Data']
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const list = (page: Page) => page.getByRole('navigation', { name: 'Settings sections' })
const marked = (page: Page) => page.locator('[data-found]')

const opened = async (browser: Browser, duet: Duet, options = {}) =>
  browserOf(browser, duet, await someone(duet, 'Mina'), options)

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

for (const [name, hand, options] of [
  ['the mouse', mouse, {}],
  ['a finger', finger, phone],
  ['the keys', keyboard, { viewport: { width: 390, height: 844 } }],
] as [string, Hand, object][])
  test(`every section opens with ${name}, survives a reload, and Back leaves it`, { tag: '@long' }, async ({
    browser,
    duet,
  }) => {
    const page = await opened(browser, duet, options)
    await page.goto('/home')
    await hand.press(page.getByRole('link', { name: 'Settings' }))
    const isPhone = (page.viewportSize()?.width ?? 0) < 960
    await title(page, isPhone ? 'Settings' : 'Account').waitFor()
    for (const section of sections) {
      await hand.press(list(page).getByRole('link', { name: new RegExp(`^${section}`) }))
      await expect(title(page, section)).toBeVisible()
      await expect(page).toHaveURL(new RegExp(`/settings/${section.toLowerCase()}$`))
      await expect(page).toHaveTitle(`${section} · Settings · Duet`)
      if (!isPhone) continue
      await hand.press(page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }))
      await expect(title(page, 'Settings')).toBeVisible()
    }
    await page.goto('/settings/appearance')
    await expect(page.getByRole('combobox', { name: 'Language' })).toBeVisible()
    await page.reload()
    await expect(title(page, 'Appearance')).toBeVisible()
    await page.goBack()
    await expect(title(page, isPhone ? 'Settings' : 'Data')).toBeVisible()
    await page.context().close()
  })

test('on a wide window, search finds a setting by its words and marks it, by keyboard alone', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const page = await opened(browser, duet, { viewport: { width: 1440, height: 500 } })
  await page.goto('/settings')
  const field = page.getByRole('searchbox', { name: 'Search settings' })
  await field.pressSequentially('blur')
  await expect(page.getByRole('status').filter({ hasText: '1 setting found' })).toBeAttached()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/settings\/privacy#blurPhotos$/)
  await expect(marked(page)).toContainText('Blur photos')
  await expect(page.getByRole('switch', { name: /^Blur photos/ })).toBeInViewport()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('switch', { name: /^Blur photos/ })).toBeFocused()
  await expect(marked(page)).toHaveCount(0)

  await field.fill('dark mode')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: /^Theme/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/settings\/appearance#theme$/)
  await field.fill('zzz')
  await expect(page.getByText('No setting matches “zzz”.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list(page).getByRole('link')).toHaveCount(sections.length)
  await page.context().close()
})

test('typed text stays when the window becomes wide enough for the list', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const page = await opened(browser, duet, { viewport: { width: 820, height: 900 } })
  await page.goto('/settings/privacy')
  await page.getByRole('textbox', { name: 'Hidden words' }).fill('not yet add')
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(list(page)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Hidden words' })).toHaveValue('not yet add')
  await page.context().close()
})

test('old settings addresses lead to the right section', { tag: '@long' }, async ({ browser, duet }) => {
  const page = await opened(browser, duet, { viewport: { width: 390, height: 844 } })
  for (const [old, now] of [
    ['/settings#privacy', /\/settings\/privacy$/],
    ['/settings#export', /\/settings\/data#export$/],
    ['/settings#nothing-of-ours', /\/settings#nothing-of-ours$/],
    ['/settings/nothing-of-ours', /\/settings$/],
  ] as const) {
    await page.goto(old)
    await expect(page).toHaveURL(now)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.context().close()
})

test('public pages have the navigation bar when signed in, and none when signed out', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const page = await opened(browser, duet)
  const stranger = await (await browser.newContext({ baseURL: duet.baseURL })).newPage()
  for (const path of ['/terms', '/safety', '/safety/what-we-see', '/how-matching-works']) {
    for (const one of [page, stranger]) {
      await one.goto(path)
      await expect(one.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expect(one.getByRole('main')).toHaveCount(1)
    }
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await expect(stranger.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  }
  await page.getByRole('link', { name: 'Settings' }).first().click()
  await expect(title(page, 'Account')).toBeVisible()
  for (const one of [page, stranger]) await one.context().close()
})

test('settings fit and are accessible in every width, and right to left', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const page = await opened(browser, duet)
  const { look } = lookAt(page, { thrifty: true })
  for (const width of widths) {
    await resize(page, width)
    await page.goto('/settings')
    await page.waitForLoadState('networkidle')
    await look('settings')
    await page.goto('/settings/privacy')
    await page.waitForLoadState('networkidle')
    await look('settings-privacy')
  }
  await page.getByRole('searchbox').fill('photo')
  await page.getByRole('link', { name: /^Blur photos/ }).waitFor()
  await look('settings-search')
  await page.evaluate(() => localStorage.setItem('language', 'ar'))
  await resize(page, 390)
  for (const section of ['', '/account', '/notifications', '/safety']) {
    await page.goto(`/settings${section}`)
    await page.waitForLoadState('networkidle')
    await look(`settings-rtl${section.replace('/', '-')}`)
  }
  await page.context().close()
})

test('administrators start at an overview without their own chats, and its rows lead to the lists', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const { page } = await administrator(browser, duet, 'Mara')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/home')
  await expect(page.getByRole('region', { name: 'Messages' })).toBeVisible()
  await page.getByRole('link', { name: 'Moderation' }).first().click()
  await expect(title(page, 'Overview')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Messages' })).toHaveCount(0)
  await page
    .getByRole('list', { name: 'Waiting' })
    .getByRole('link', { name: /^Photos/ })
    .click()
  await expect(page).toHaveURL(/\/admin\?view=photos$/)
  await expect(title(page, 'Photos')).toBeVisible()
  await page.goBack()
  await expect(title(page, 'Overview')).toBeVisible()
  await page.context().close()
})
