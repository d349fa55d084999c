import type { BrowserContext, Locator, Page } from '@playwright/test'
import { chromium } from '../tools/browser.ts'
import { violationsOf } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { talkForYears } from './long-talk.ts'
import { keep } from './look.ts'
import { browserOf, picture, say, sayAtOnce, someone } from './people.ts'

const browser = await chromium()
const microphone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
test.use({
  serverEnvironment: { DEMO: 'off' },
  launchOptions: { ...browser, args: [...browser.args, ...microphone] },
})

async function isClean(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
}

const logOf = (page: Page, name: string) => page.getByRole('log', { name: `Conversation with ${name}` })
const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const rows = (log: Locator) => log.locator('[data-key]')
const keysOf = (log: Locator) => rows(log).evaluateAll((all) => all.map((row) => row.getAttribute('data-key')))

async function write(page: Page, text: string): Promise<void> {
  await expect(box(page)).toBeVisible()
  await box(page).fill(text)
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await box(page).press('Enter')
}

async function choose(page: Page, message: Locator, act: string): Promise<void> {
  await message.click({ button: 'right' })
  await page
    .getByRole('menuitem', { name: act })
    .or(page.getByRole('menuitemcheckbox', { name: act }))
    .click()
}

test('two people and a second tab write, read, answer, react, edit, delete, send a photo and a voice message, and lose the connection', {
  tag: '@long',
}, async ({ browser: chrome, duet }) => {
  const [anaWho, benWho] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
  const options = { viewport: { width: 820, height: 900 }, permissions: ['microphone'] }
  const ana = await browserOf(chrome, duet, anaWho, options)
  const ben = await browserOf(chrome, duet, benWho, options)
  const tab = await ana.context().newPage()
  // Blocks the `offline` event, because a connection can also die without one.
  await ana.addInitScript(() => addEventListener('offline', (event) => event.stopImmediatePropagation()))
  for (const page of [ana, tab]) await page.goto(`/chat/${benWho.id}`)
  await ben.goto(`/chat/${anaWho.id}`)
  const logs = [logOf(ana, 'Ben'), logOf(tab, 'Ben'), logOf(ben, 'Ana')] as const
  const everywhere = async (text: string) => {
    for (const log of logs) await expect(log.getByText(text, { exact: true })).toBeVisible()
  }
  for (const log of logs) await expect(log).toBeVisible()

  await box(ana).pressSequentially('Hello')
  await expect(logs[2].getByText('typing…')).toBeAttached()
  await write(ana, 'Hello Ben')
  await everywhere('Hello Ben')
  await expect(logs[0].getByText('Sent', { exact: true })).toBeAttached()

  await choose(ben, logs[2].getByText('Hello Ben'), 'Reply')
  await expect(ben.getByText('Replying to Ana')).toBeVisible()
  await write(ben, 'Hello yourself')
  await everywhere('Hello yourself')
  await expect(logs[0].getByText('Read', { exact: true })).toBeAttached()
  await expect(logs[0].getByRole('button', { name: 'Go to the message from You: Hello Ben' })).toBeVisible()
  await choose(ben, logs[2].getByText('Hello Ben').last(), 'React with ❤️')
  await expect(logs[1].getByRole('button', { name: '❤️ from Ben' })).toBeVisible()
  await isClean(ben)

  await box(ana).press('ArrowUp')
  await expect(box(ana)).toHaveValue('Hello Ben')
  await box(ana).fill('Good evening, Ben')
  await box(ana).press('Enter')
  await everywhere('Good evening, Benedited')
  await expect(box(ana)).toHaveValue('')

  await write(ben, 'a slip')
  await everywhere('a slip')
  await choose(ben, logs[2].getByText('a slip'), 'Delete')
  await ben.getByRole('dialog', { name: 'Delete this message?' }).getByRole('button', { name: 'Delete' }).click()
  await everywhere('This message was deleted')

  const file = { name: 'view.jpg', mimeType: 'image/jpeg', buffer: await picture('#3b6ea5') }
  await ana.locator('input[type=file]').setInputFiles(file)
  await expect(ana.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await box(ana).fill('My view')
  await box(ana).press('Enter')
  await everywhere('My view')
  await expect(logs[2].getByText('Tap to see')).toBeVisible()
  await logs[2].getByText('Tap to see').click()
  await expect(logs[2].locator('img')).toBeVisible()

  await ben.getByRole('button', { name: /record/i }).click()
  await expect(ben.getByRole('timer')).toBeVisible()
  await ben.waitForTimeout(1_500)
  await ben.getByRole('button', { name: /send voice/i }).click()
  for (const log of logs) await expect(log.getByRole('button', { name: /^play/i })).toBeVisible()
  await isClean(ana)

  await losesTheLine(ana.context(), ana, async () => write(ben, 'Are you there?'))
  await everywhere('Are you there?')
  await everywhere('In the tunnel')
  await write(ana, 'Back again')
  await everywhere('Back again')
  const send = tab.getByRole('button', { name: 'Send', exact: true })
  await box(tab).fill('not now')
  await expect(send).toBeEnabled()
  await tab.context().setOffline(true)
  await expect(send).toBeDisabled()
  await tab.context().setOffline(false)
  await expect(send).toBeEnabled()
  const keys = await keysOf(logs[0])
  expect(keys).toHaveLength(8)
  for (const log of logs.slice(1)) expect(await keysOf(log)).toEqual(keys)
  for (const page of [ana, ben]) await page.context().close()
})

/**
 * Disconnects, runs `meanwhile`, and reconnects. Until the page notices the lost connection, a sent message is queued;
 * after that, the text stays in the message box.
 */
async function losesTheLine(context: BrowserContext, page: Page, meanwhile: () => Promise<void>): Promise<void> {
  await context.setOffline(true)
  await write(page, 'In the tunnel')
  await expect(page.getByText('Reconnecting…')).toBeVisible()
  await expect(page.getByText('Sends when you’re back online')).toBeVisible()
  await keep(page, 'chat-sending-later')
  await box(page).fill('not now')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await meanwhile()
  await context.setOffline(false)
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await expect(page.getByText('Reconnecting…')).toHaveCount(0)
  await expect(page.getByText('Sends when you’re back online')).toHaveCount(0)
}

/**
 * Scrolls near the top and waits for older messages to load. Returns how far a visible message moved, and whether any
 * loaded.
 */
function waitAtTop(log: Locator): Promise<{ shift: number; grew: boolean }> {
  return log.evaluate(async (element) => {
    const frame = () => new Promise(requestAnimationFrame)
    element.scrollTop = 120
    const height = element.scrollHeight
    for (let wait = 0; wait < 3; wait++) await frame()
    const middle = element.getBoundingClientRect().top + element.clientHeight / 2
    const seen = [...element.querySelectorAll('[data-key]')].find((row) => row.getBoundingClientRect().top > middle)
    const key = seen?.getAttribute('data-key') ?? ''
    const topOf = () => element.querySelector(`[data-key="${key}"]`)?.getBoundingClientRect().top ?? Number.NaN
    const before = topOf()
    let shift = 0
    const grew = () => element.scrollHeight > height + 500
    const standstill = performance.now() + 60_000
    // Keeps measuring for a while after older messages have loaded.
    for (let left = 60; left > 0 && performance.now() < standstill; left -= grew() ? 1 : 0) {
      await frame()
      const moved = Math.abs(topOf() - before)
      shift = Number.isNaN(moved) ? Number.POSITIVE_INFINITY : Math.max(shift, moved)
    }
    return { shift, grew: grew() }
  })
}

test('a conversation of 10,000 messages keeps few rows in the page, and loading older messages moves nothing', {
  tag: '@long',
}, async ({ browser: chrome, duet }) => {
  const [anaWho, benWho] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
  await talkForYears(duet, anaWho, benWho)
  const page = await browserOf(chrome, duet, anaWho, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/chat/${benWho.id}`)
  const log = logOf(page, 'Ben')
  await expect(log.getByText(/^Message 10000/)).toBeInViewport()
  const few = async () => expect(await log.locator('li').count()).toBeLessThanOrEqual(60)
  await few()
  for (let turn = 0; turn < 5; turn++) {
    const { shift, grew } = await waitAtTop(log)
    expect(grew, `turn ${turn}: older messages came in`).toBe(true)
    expect(shift, `turn ${turn}`).toBeLessThanOrEqual(1)
    await few()
  }
  await log.hover()
  for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, -700)
  await few()
  await isClean(page)

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Search in this chat' }).click()
  await page.getByRole('searchbox', { name: 'Search in this chat' }).fill('needle')
  await page.getByRole('list', { name: 'Messages' }).getByRole('button').first().click()
  await expect(log.getByText('Message 1234 needle')).toBeInViewport()
  await few()
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await expect(log.getByText(/^Message 10000/)).toBeInViewport()
  await few()

  await rows(log).last().focus()
  const focused = () => log.evaluate(() => document.activeElement?.getAttribute('data-key')?.split(' ').at(-1))
  for (let step = 1; step <= 25; step++) await page.keyboard.press('ArrowUp')
  expect(await focused()).toBe(`m${10_000 - 25}`)
  await expect(log.locator(':focus')).toBeInViewport()
  await page.keyboard.press('End')
  expect(await focused()).toBe('m10000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu', { name: 'Actions for this message' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('m10000')
  await page.context().close()
})

test('a conversation opens at the first unread message, stays there, and counts new messages below', {
  tag: '@long',
}, async ({ browser: chrome, duet }) => {
  const [anaWho, benWho] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
  await say(duet, anaWho, benWho, 'Hello')
  await say(duet, benWho, anaWho, ...Array.from({ length: 40 }, (_, index) => `Line ${index + 1}`))
  const page = await browserOf(chrome, duet, anaWho, { viewport: { width: 390, height: 700 } })
  await page.goto(`/chat/${benWho.id}`)
  const log = logOf(page, 'Ben')
  await expect(log.getByText('New', { exact: true })).toBeInViewport()
  await expect(log.getByText('Line 1', { exact: true })).toBeInViewport()
  await sayAtOnce(duet, benWho, anaWho, 'one more', 'and another')
  await expect(page.getByRole('button', { name: '2 new messages' })).toBeVisible()
  await expect(page.getByText('2 new messages from Ben')).toBeAttached()
  await expect(log.getByText('Line 1', { exact: true })).toBeInViewport()
  await page.getByRole('button', { name: '2 new messages' }).click()
  await expect(log.getByText('and another')).toBeInViewport()
  await say(duet, benWho, anaWho, 'followed')
  await expect(log.getByText('followed')).toBeInViewport()
  await page.context().close()
})

test('requests are listed separately, and a conversation can be accepted, muted, archived, found and removed', {
  tag: '@long',
}, async ({ browser: chrome, duet }) => {
  const [anaWho, noor, kofi] = [await someone(duet, 'Ana'), await someone(duet, 'Noor'), await someone(duet, 'Kofi')]
  await say(duet, noor, anaWho, 'Hello, see https://example.org')
  await say(duet, kofi, anaWho, 'Good luck with the move')
  await say(duet, anaWho, kofi, 'Thank you')
  const page = await browserOf(chrome, duet, anaWho, { viewport: { width: 820, height: 900 } })
  await page.goto('/chat')
  const list = page.getByRole('list', { name: 'Conversations' })
  await expect(list.getByRole('list', { name: 'Requests' }).getByText('Noor')).toBeVisible()
  await isClean(page)
  await list.getByRole('button', { name: /^Noor/ }).click()
  const log = logOf(page, 'Noor')
  await expect(log.getByText('Links unlock after three messages each.')).toBeVisible()
  await expect(log.getByRole('link')).toHaveCount(0)
  await isClean(page)
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await say(duet, noor, anaWho, 'Are you there?', 'It is a good one')
  for (const text of ['Hello Noor', 'Here I am', 'What is it?']) await write(page, text)
  const link = log.getByRole('link', { name: 'https://example.org' })
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(list.getByRole('list', { name: 'Their turn' }).getByText('Noor', { exact: true })).toBeVisible()

  const kofiRow = list.getByRole('button', { name: /^Kofi/ })
  await kofiRow.focus()
  await page.keyboard.press('ContextMenu')
  await page.getByRole('menuitem', { name: 'Mute' }).click()
  await expect(list.getByRole('button', { name: /Kofi.*muted/ })).toBeVisible()
  await kofiRow.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(kofiRow).toHaveCount(0)
  await page.getByRole('button', { name: 'Archived' }).click()
  await expect(page.getByRole('list', { name: 'Archived' }).getByText('Kofi')).toBeVisible()
  await page.getByRole('button', { name: 'Back to all chats' }).click()

  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('luck')
  await expect(page.getByRole('list', { name: 'Messages' }).getByText('Kofi')).toBeVisible()
  await isClean(page)
  await page.getByRole('list', { name: 'Messages' }).getByRole('button').click()
  await expect(logOf(page, 'Kofi').getByText('Good luck with the move')).toBeInViewport()
  await page.getByRole('button', { name: 'Back' }).click()

  await list.getByRole('button', { name: /^Noor/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('button', { name: /^Noor/ })).toHaveCount(0)
  await page.context().close()
})
