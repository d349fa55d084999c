import type { Browser, Page } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { expect } from './fixtures.ts'
import { type Look, lookAt, resize } from './look.ts'
import { moderationWalks } from './moderation-states.ts'
import { browserOf, picture, type Someone, say, someone } from './people.ts'

/** States that are brief or only appear when data is missing. Each walk visits some states of one page. */
export interface Walk extends Look {
  page: Page
  browser: Browser
  duet: Duet
  ana: Someone
  ben: Someone
}

const words = 'The little place by the canal'
const dialog = '[role=dialog]'
const leave = (page: Page) => async () => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu').or(page.getByRole('dialog'))).toHaveCount(0)
}
const thread = (page: Page) => page.getByRole('log')

async function chatMenus({ page, ben, lookWide, look }: Walk): Promise<void> {
  await resize(page, 390)
  await page.goto(`/chat/${ben.id}`)
  const open = (what: () => Promise<void>) => async () => {
    await what()
    await page.getByRole('menu').waitFor()
  }
  const header = open(() => page.getByRole('button', { name: 'More', exact: true }).click())
  await lookWide('chat-header-menu', '[role=menu]', header, leave(page))
  const message = open(() => thread(page).getByText(words).click({ button: 'right' }))
  await lookWide('chat-message-menu', '[role=menu]', message, leave(page))
  const file = { name: 'view.jpg', mimeType: 'image/jpeg', buffer: await picture('#3b6ea5') }
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  for (const width of [390, 1440]) {
    await resize(page, width)
    await look('chat-photo', 'form')
  }
}

async function chatList({ page, browser, duet, ben, look, lookWide, forgive }: Walk): Promise<void> {
  await resize(page, 390)
  await page.goto('/chat')
  const row = page.getByRole('button', { name: `Actions for your chat with ${ben.name}` })
  const menu = async () => {
    await row.press('Enter')
    await page.getByRole('menu').waitFor()
  }
  await lookWide('list-menu', '[role=menu]', menu, leave(page))
  await page.route('**/api/messages/history', (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'internal' } } }),
  )
  await page.route('**/socket.io/**', (route) => route.abort())
  await page.routeWebSocket(/socket\.io/, (socket) => socket.close())
  await page.goto('/chat')
  await expect(page.getByText('Your chats couldn’t be loaded.')).toBeVisible()
  for (const width of [390, 1440]) {
    await resize(page, width)
    forgive()
    await look('list-error')
  }
  const alone = await browserOf(browser, duet, await someone(duet, 'Dora'))
  const { lookWide: lookAlone } = lookAt(alone, { thrifty: true })
  await resize(alone, 390)
  await alone.goto('/chat')
  await lookAlone('list-empty', undefined, () => alone.getByText('No messages yet').waitFor())
  await alone.context().close()
}

async function reports({ page, ben, lookWide }: Walk): Promise<void> {
  await resize(page, 390)
  await page.goto(`/profile/${ben.id}`)
  const photo = page.getByRole('button', { name: 'More about Ben’s photo 1' })
  const menu = async () => {
    await photo.click()
    await page.getByRole('menuitem', { name: 'Report this photo' }).waitFor()
  }
  await lookWide('photo-menu', '[role=menu]', menu, leave(page))
  await resize(page, 390)
  await page.goto(`/chat/${ben.id}`)
  await thread(page).getByText(words).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Report' }).click()
  const asked = page.getByRole('dialog', { name: 'Report this message' })
  await lookWide('report', dialog, () => asked.waitFor())
  await asked.getByRole('radio', { name: 'Threats or violence' }).check()
  await asked.getByRole('textbox').fill('He says he knows where I live, and that he will come.')
  await asked.getByRole('switch', { name: /Block/ }).click()
  await lookWide('report-form', dialog, () => asked.getByText(/emergency number/).waitFor())
  await asked.getByRole('button', { name: 'Send report' }).click()
  const sent = page.getByRole('dialog', { name: 'Thank you for telling us' })
  await lookWide('report-sent', dialog, () => sent.waitFor())
}

const block = (duet: Duet, { token }: Someone, other: Someone) =>
  fetch(`${duet.baseURL}/api/blocks/${other.id}`, { method: 'PUT', headers: { authorization: `Bearer ${token}` } })

/**
 * Shows past contacts including one with a forty-letter name, a report of one, the empty list, and a failed request.
 */
async function peopleGone({ browser, duet }: Walk): Promise<void> {
  const dora = await someone(duet, 'Dora')
  for (const name of ['Viktor', 'Wolfeschlegelsteinhausenbergerdorffskyyy', 'ليلى', 'Sam']) {
    const gone = await someone(duet, name)
    await say(duet, gone, dora, 'You will regret this')
    await block(duet, gone, dora)
  }
  for (const locale of ['en', 'ar']) {
    const page = await browserOf(browser, duet, dora, { locale, viewport: { width: 390, height: 844 } })
    const { look, lookWide, forgive } = lookAt(page, { thrifty: true })
    await page.goto('/report')
    const last = page.getByRole('main').getByRole('listitem').nth(3)
    await lookWide(`people-gone-${locale}`, 'main', () => last.waitFor())
    const asked = page.getByRole('dialog')
    await last.getByRole('button').click()
    await lookWide(`people-gone-report-${locale}`, dialog, () => asked.getByRole('radio').first().waitFor())
    await page.route('**/api/reports/past-contacts*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/report')
    await page.getByRole('alert').waitFor()
    forgive()
    await look(`people-gone-error-${locale}`, 'main')
    await page.unroute('**/api/reports/past-contacts*')
    await page.context().close()
  }
  const alone = await browserOf(browser, duet, await someone(duet, 'Nora'))
  const { lookWide } = lookAt(alone, { thrifty: true })
  await alone.goto('/report')
  await lookWide('people-gone-empty', 'main', () => alone.getByText('There’s no one here').waitFor())
  await alone.context().close()
}

async function longNames({ browser, duet, ana }: Walk): Promise<void> {
  const name = 'Wolfeschlegelsteinhausenbergerdorffskyyy'
  const long = await someone(duet, name)
  await say(duet, long, ana, 'مرحبا! Is it you?')
  const page = await browserOf(browser, duet, ana, { locale: 'ar', viewport: { width: 390, height: 844 } })
  const { lookWide } = lookAt(page, { thrifty: true })
  await page.goto('/chat')
  const row = page.getByRole('button', { name: new RegExp(`^${name}`) })
  await lookWide('long-name-rows', undefined, () => row.waitFor())
  await page.goto(`/chat/${long.id}`)
  await lookWide('long-name-thread', undefined, () => thread(page).getByText('Is it you?').waitFor())
  await resize(page, 390)
  await thread(page).getByText('Is it you?').click({ button: 'right' })
  await page.getByRole('menuitem').nth(-2).click()
  await lookWide('long-name-report', dialog, () => page.getByRole('dialog').getByRole('radio').first().waitFor())
  await page.context().close()
}

export const walks: Record<string, (walk: Walk) => Promise<void>> = {
  'menus of a conversation': chatMenus,
  'the list of conversations': chatList,
  reporting: reports,
  'people who are gone': peopleGone,
  'long names from right to left': longNames,
  ...moderationWalks,
}
