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

test('a second visit fetches no script', { tag: '@long' }, async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, await someone(duet, 'Ana'))
  const fetched = async () => {
    await page.goto('/home')
    // Wait for the parts that load last, and for the code that the first input loads.
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
