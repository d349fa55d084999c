import type { Page, WebSocketRoute } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { browserOf, someone, wellington } from './people.ts'
import { signUp } from './sign-up.ts'

const napier = { latitude: -39.4928, longitude: 176.912 }

async function breakable(page: Page) {
  const open = new Set<WebSocketRoute>()
  let isCut = false
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    if (isCut) return void socket.close()
    open.add(socket)
    socket.connectToServer()
  })
  await page.route(/\/socket\.io\//, (route) => (isCut ? route.abort() : route.continue()))
  return {
    cut() {
      isCut = true
      for (const socket of open) void socket.close()
      open.clear()
    },
    mend() {
      isCut = false
    },
  }
}

const storedUser = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null'))

test('someone signs up by code, finds another person nearby, and they chat with typing, presence, unread counts and read marks', async ({
  browser,
  duet,
}) => {
  const viewport = { width: 1440, height: 900 }
  const nearBy = { at: napier, photo: '#3b6ea5', profile: { gender: 'man' } }
  const ben = await browserOf(browser, duet, await someone(duet, 'Ben', nearBy), { viewport })
  await ben.goto('/home')
  const here = { geolocation: napier, permissions: ['geolocation'] }
  const ana = await browserOf(browser, duet, undefined, { viewport, ...here })
  await signUp(ana, duet, 'Ana')
  await ana.getByRole('radio', { name: 'Nearby' }).click()
  await ana.getByRole('link', { name: /Ben/ }).first().click()
  await expect(ana).toHaveURL(/\/profile\//)
  await expect(ana.getByRole('heading', { name: /Ben/ })).toBeVisible()
  await ana
    .getByRole('link', { name: 'Message' })
    .or(ana.getByRole('button', { name: 'Message' }))
    .first()
    .click()
  const anaLog = ana.getByRole('log', { name: 'Conversation with Ben' })
  await expect(anaLog).toBeVisible()
  await ana.getByRole('textbox', { name: 'Message' }).fill('Hello Ben')
  await ana.getByRole('textbox', { name: 'Message' }).press('Enter')
  await expect(anaLog.getByText('Hello Ben')).toBeVisible()

  const benPanel = ben.getByRole('region', { name: 'Messages' })
  const benRow = benPanel.getByRole('list', { name: 'Conversations' }).getByText('Ana').first()
  await expect(benRow).toBeVisible()
  await expect(benPanel.getByRole('button', { name: /Hello Ben.*\b1\b/ })).toBeVisible()
  // Lower than the page: opening a thread must not scroll the page around it.
  await ben.setViewportSize({ width: 1440, height: 420 })
  await benRow.click()
  const benLog = ben.getByRole('log', { name: 'Conversation with Ana' })
  await expect(benLog.getByText('Hello Ben')).toBeVisible()
  expect(await ben.evaluate(() => window.scrollY)).toBe(0)
  await ben.setViewportSize({ width: 1440, height: 900 })

  await ben.getByRole('textbox', { name: 'Message' }).pressSequentially('Hi')
  await expect(
    ana
      .getByRole('region', { name: 'Messages' })
      .getByText(/typing/i)
      .first(),
  ).toBeVisible()
  await ben.getByRole('button', { name: 'Send' }).click()
  await expect(anaLog.getByText('Hi', { exact: true })).toBeVisible()
  await expect(anaLog.getByText(/read/i).or(anaLog.getByLabel(/read/i)).first()).toBeAttached()
  await expect(ana.getByText(/online/i).first()).toBeVisible()
  await ben.context().close()
  await expect(ana.getByRole('region', { name: 'Messages' }).getByText(/^online/i)).toHaveCount(0)
  await ana.context().close()
})

test('someone signs in with a mailed code, finds the draft after a reload, and signs out', async ({
  browser,
  duet,
}) => {
  const ben = await someone(duet, 'Ben', { at: wellington })
  const ana = await someone(duet, 'Ana', { at: wellington, profile: { interestedIn: [] } })
  const page = await browserOf(browser, duet, undefined)
  await page.goto('/profile/anyone')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(ana.email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByLabel('Code').fill(await duet.outbox(ana.email))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/profile\/anyone$/)
  expect(await storedUser(page)).toMatchObject({
    id: ana.id,
    name: 'Ana',
    email: ana.email,
    images: [],
    isSuperAdmin: false,
  })
  await page.goto(`/chat/${ben.id}`)
  await page.getByRole('textbox', { name: 'Message' }).fill('not sent yet')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('not sent yet')
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sign out', exact: true }).last().click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedUser(page)).toBeNull()
  await page.context().close()
})

test('without a connection nothing is sent, the text stays, and it goes once the connection is back', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const ben = await someone(duet, 'Ben')
  const ana = await someone(duet, 'Ana')
  const page = await browserOf(browser, duet, ana)
  const { cut, mend } = await breakable(page)
  await page.goto(`/chat/${ben.id}`)
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('first')
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled()
  cut()
  await expect(page.getByText('Reconnecting…')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  await box.press('Enter')
  await expect(box).toHaveValue('first')
  await expect(page.getByText(/^No connection\. What you wrote stays here/)).toBeVisible()
  mend()
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled()
  await box.press('Enter')
  await expect(page.getByRole('log', { name: 'Conversation with Ben' }).getByText('first')).toBeVisible()
})

test('clicking a notification reads it and only logs its link; its own button goes there', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const ana = await someone(duet, 'Ana')
  const page = await browserOf(browser, duet, ana)
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'info' && logged.push(message.text()))
  await page.goto('/home')
  const bell = page.getByRole('button', { name: 'Notifications' })
  await expect(bell).toHaveText('1')
  await bell.click()
  const popover = page.getByRole('dialog', { name: 'Notifications' })
  await popover.getByText('Welcome, Ana').click()
  await expect(bell).toHaveText('')
  expect(logged).toContain(`/profile/${ana.id}`)
  await expect(page).toHaveURL(/\/home$/)
  await popover.getByRole('button', { name: 'View profile' }).click()
  await expect(page).toHaveURL(new RegExp(`/profile/${ana.id}$`))
  await bell.click()
  await popover.getByRole('button', { name: 'Clear all' }).click()
  await expect(popover.getByText('No notifications yet')).toBeVisible()
})

test('only super administrators reach the admin screen', { tag: '@long' }, async ({ browser, duet }) => {
  const ana = await someone(duet, 'Ana')
  const page = await browserOf(browser, duet, ana)
  await page.goto('/admin')
  await expect(page).toHaveURL(/\/home$/)
  const forged = await browserOf(browser, duet, { ...ana, isSuperAdmin: true })
  await forged.goto('/admin')
  await expect(forged).toHaveURL(/\/home$/)
})

test('injected code in names, profiles and messages never runs', { tag: '@long' }, async ({ browser, duet }) => {
  const evil = '"><img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'
  const eve = await someone(duet, '<b>Eve</b>', { at: wellington, profile: { bio: evil } })
  const ana = await someone(duet, 'Ana', { at: wellington })
  const page = await browserOf(browser, duet, ana)
  const violations: string[] = []
  page.on(
    'console',
    (message) => /Content Security Policy|TrustedHTML/i.test(message.text()) && violations.push(message.text()),
  )
  await page.goto(`/profile/${eve.id}`)
  await expect(page.getByText(evil)).toBeVisible()
  await page.goto(`/chat/${eve.id}`)
  await page.getByRole('textbox', { name: 'Message' }).fill(evil)
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled()
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await expect(page.getByRole('log').getByText(evil)).toBeVisible()
  expect(await page.evaluate(() => (window as { pwned?: number }).pwned)).toBeUndefined()
  expect(violations).toEqual([])
})
