import type { Locator, Page } from '@playwright/test'
import { violationsOf } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { browserOf, picture, someone } from './people.ts'

const logOf = (page: Page, name: string) => page.getByRole('log', { name: `Conversation with ${name}` })
const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const albums = (log: Locator) => log.getByRole('list', { name: 'Album' })
const keysOf = (log: Locator) =>
  log.locator('[data-key]').evaluateAll((all) => all.map((row) => row.getAttribute('data-key')))

async function isClean(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
}

const photos = (...colours: string[]) =>
  Promise.all(
    colours.map(async (colour, index) => ({
      name: `${index + 1}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await picture(colour),
    })),
  )

test('photos sent together form an album for both people, even after the connection was lost', {
  tag: '@long',
}, async ({ browser: chrome, duet }) => {
  const [anaWho, benWho] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
  const ana = await browserOf(chrome, duet, anaWho, { viewport: { width: 390, height: 844 } })
  const ben = await browserOf(chrome, duet, benWho, { viewport: { width: 820, height: 900 } })
  // Blocks the `offline` event, because a connection can also die without one.
  await ana.addInitScript(() => addEventListener('offline', (event) => event.stopImmediatePropagation()))
  await ana.goto(`/chat/${benWho.id}`)
  await ben.goto(`/chat/${anaWho.id}`)
  const logs = [logOf(ana, 'Ben'), logOf(ben, 'Ana')] as const
  const send = ana.getByRole('button', { name: 'Send', exact: true })

  await ana.locator('input[type=file]').setInputFiles(await photos('#3b6ea5', '#a5583b', '#3ba577', '#c9a23f'))
  await expect(send).toBeEnabled()
  await isClean(ana)
  await ana.getByRole('button', { name: 'Remove photo 2 of 4' }).click()
  await box(ana).fill('Our weekend')
  await box(ana).press('Enter')
  for (const log of logs) {
    await expect(albums(log).getByRole('listitem')).toHaveCount(3)
    await expect(log.getByText('Our weekend')).toBeVisible()
  }
  await expect(ana.getByRole('list', { name: 'Photos to send with your message' })).toHaveCount(0)

  for (const n of [1, 2, 3]) await logs[1].getByRole('button', { name: `Show photo ${n} of 3 from Ana` }).click()
  await logs[1].getByRole('button', { name: 'Enlarge: Photo 2 of 3 from Ana' }).click()
  const large = ben.getByRole('dialog', { name: 'Album' })
  await expect(large.getByRole('img', { name: 'Photo 2 of 3 from Ana' })).toBeVisible()
  await ben.keyboard.press('ArrowRight')
  await expect(large.getByRole('img', { name: 'Photo 3 of 3 from Ana' })).toBeInViewport()
  await ben.keyboard.press('Escape')
  await expect(large).toHaveCount(0)
  await albums(logs[1]).getByRole('listitem').nth(1).click({ button: 'right' })
  await ben.getByRole('menuitemcheckbox', { name: 'React with ❤️' }).click()
  const second = albums(logs[0]).getByRole('listitem').nth(1)
  await expect(second.getByRole('button', { name: '❤️ from Ben' })).toBeVisible()
  await isClean(ben)
  await box(ben).fill('Lovely!')
  await box(ben).press('Enter')
  await expect(logs[0].getByText('Lovely!')).toBeVisible()

  await ana.locator('input[type=file]').setInputFiles(await photos('#7a4fa3', '#4f7aa3'))
  await expect(send).toBeEnabled()
  await ana.context().setOffline(true)
  await send.click()
  await expect(logs[0].getByText('Sends when you’re back online')).toBeVisible()
  await expect(albums(logs[0]).last().getByRole('listitem')).toHaveCount(2)
  await ana.context().setOffline(false)
  await expect(logs[0].getByText('Sends when you’re back online')).toHaveCount(0)
  const sent = albums(logs[0]).last().getByRole('img')
  for (const photo of [sent.first(), sent.last()]) await expect(photo).not.toHaveJSProperty('naturalWidth', 0)
  // An unread message would add a separator above it after the reload.
  await expect(logs[0].getByText('Read', { exact: true })).toHaveCount(2)
  for (const page of [ana, ben]) await page.reload()
  for (const log of logs) {
    await expect(albums(log)).toHaveCount(2)
    await expect(albums(log).first().getByRole('listitem')).toHaveCount(3)
    await expect(albums(log).last().getByRole('listitem')).toHaveCount(2)
  }
  expect(await keysOf(logs[1])).toEqual(await keysOf(logs[0]))
  for (const page of [ana, ben]) await page.context().close()
})
