import { expect, test } from './fixtures.ts'
import { browserOf, someone } from './people.ts'

test('a start loads the own details, then connects with the token, then asks for the conversations', async ({
  browser,
  duet,
}) => {
  const ana = await someone(duet, 'Ana')
  const page = await browserOf(browser, duet, ana)
  const order: string[] = []
  page.on('response', (response) => response.url().endsWith('/api/user/myDetails') && order.push('details'))
  page.on('websocket', (socket) => {
    if (!socket.url().includes('/socket.io/')) return
    order.push('connection')
    socket.on('framesent', ({ payload }) => {
      if (String(payload).includes(ana.token)) order.push('token')
      if (String(payload).includes('get_conversations')) order.push('get_conversations')
    })
  })
  await page.goto('/home')
  await expect.poll(() => order).toContain('get_conversations')
  expect(order.filter((step, index) => order.indexOf(step) === index)).toEqual([
    'details',
    'connection',
    'token',
    'get_conversations',
  ])
})

test('a second visit fetches no script', async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, await someone(duet, 'Ana'))
  const fetched = async () => {
    await page.goto('/home')
    // What comes last, and what is loaded at the first touch.
    await expect(page.getByRole('region', { name: 'Deck' }).getByRole('button', { name: 'Add location' })).toBeVisible()
    await expect(page.getByText('No messages yet')).toBeVisible()
    await page.keyboard.press('Shift')
    await page.waitForLoadState('networkidle')
    return page.evaluate(() => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      return entries.filter(({ name, transferSize }) => name.endsWith('.js') && transferSize > 0).length
    })
  }
  expect(await fetched()).toBeGreaterThan(3)
  expect(await fetched()).toBe(0)
})

test('without a stored user nothing is loaded and nothing connects', async ({ browser, duet }) => {
  const page = await (await browser.newContext({ baseURL: duet.baseURL })).newPage()
  const asked: string[] = []
  page.on('request', (request) => /\/api\/|\/socket\.io\//.test(request.url()) && asked.push(request.url()))
  await page.goto('/login')
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual([])
})

test('details that cannot be loaded are only logged', async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, await someone(duet, 'Ana'))
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.route('**/api/user/myDetails', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }))
  await page.goto('/home')
  await expect.poll(() => errors.join('\n')).toContain('The own details could not be loaded.')
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('a connection that fails is only logged', async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, await someone(duet, 'Ana'))
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.addInitScript(() => {
    const Real = WebSocket
    window.WebSocket = class extends Real {
      constructor() {
        super('ws://127.0.0.1:1/')
      }
    }
  })
  await page.goto('/home')
  await expect.poll(() => errors.join('\n')).toContain('The chat connection failed.')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test('/ leads home, the title leads home, the avatar to the own profile, and unknown paths to the sign-in', async ({
  browser,
  duet,
}) => {
  const ana = await someone(duet, 'Ana')
  const page = await browserOf(browser, duet, ana)
  await page.goto('/')
  await expect(page).toHaveURL(/\/home$/)
  const bar = page.getByRole('navigation', { name: 'Main' })
  await bar.getByRole('link', { name: 'Your profile' }).click()
  await expect(page).toHaveURL(new RegExp(`/profile/${ana.id}$`))
  await bar.getByRole('link', { name: 'Duet' }).click()
  await expect(page).toHaveURL(/\/home$/)
  await page.goto('/no/such/path')
  await expect(page).toHaveURL(/\/login$/)
})

test('visitors see no navigation bar', async ({ browser, duet }) => {
  const page = await (await browser.newContext({ baseURL: duet.baseURL })).newPage()
  for (const path of ['/login', '/signup', '/terms']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  }
})
