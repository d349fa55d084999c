import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { lookAt, resize } from './look.ts'
import { addPhoto, browserOf, picture, type Someone, someone, wellington } from './people.ts'

// Someone verifies their face and gets a badge that others see. Replacing the first photo removes the badge. The camera
// shows Chromium's fake test picture.

const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
test.use({
  serverEnvironment: { DEMO: 'off', SUPER_ADMIN_EMAIL: 'ada@example.com' },
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...camera] }),
})

interface Cast {
  mina: Someone
  ben: Someone
  ada: Someone
}

async function cast(duet: Duet): Promise<Cast> {
  const mina = await someone(duet, 'Mina', { at: wellington, photo: '#c96f4a', profile: { gender: 'woman' } })
  await addPhoto(duet, mina, await picture('#5d8a66'))
  const ben = await someone(duet, 'Ben', { at: wellington, photo: '#6b7fa5', profile: { gender: 'man' } })
  const ada = await someone(duet, 'Ada', { email: 'ada@example.com' })
  return { mina, ben, ada }
}

const selfies = (duet: Duet) =>
  readdirSync(join(duet.dataDir, 'media'), { recursive: true })
    .map(String)
    .filter((name) => name.startsWith('verification') && name.endsWith('.sealed'))

async function askForPose(page: Page): Promise<void> {
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: 'Get verified' }).click()
  await expect(page.getByRole('dialog', { name: 'Get verified' }).getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'Show me a pose' }).click()
  await expect(page.getByRole('dialog', { name: 'Your pose' })).toBeVisible()
}

async function takeSelfie(page: Page): Promise<void> {
  const video = page.getByLabel('What the camera sees')
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Take the selfie' }).click()
  await expect(page.getByRole('img', { name: 'Your selfie' })).toBeVisible()
}

async function approve(browser: Browser, duet: Duet, ada: Someone): Promise<void> {
  const page = await browserOf(browser, duet, ada)
  const { look } = lookAt(page, { thrifty: true })
  await page.goto('/admin?view=verification')
  const mina = page.getByRole('listitem', { name: 'Mina' })
  await mina.getByRole('button', { name: 'View Mina’s selfie' }).waitFor()
  await expect(mina.getByRole('img', { name: 'Mina’s selfie' })).toHaveCount(0)
  for (const width of [390, 820, 1440]) {
    await resize(page, width)
    await look('verification-queue')
  }
  await page.keyboard.press('j')
  await page.keyboard.press('l')
  const shown = mina.getByRole('img', { name: 'Mina’s selfie' })
  await expect(shown).toBeVisible()
  expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(200)
  await look('verification-compared')
  await page.keyboard.press('r')
  await expect(mina.getByRole('group', { name: 'Why are you rejecting it?' })).toBeVisible()
  await look('verification-reasons')
  await mina.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('a')
  await expect(page.getByText('No selfies to review.')).toBeVisible()
  await page.context().close()
}

test('someone is verified with the camera by a reviewer, others see the badge, and another first photo removes it', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const { mina, ben, ada } = await cast(duet)
  const page = await browserOf(browser, duet, mina, { permissions: ['camera'] })
  const { look, lookWide } = lookAt(page, { thrifty: true })
  const bens = await browserOf(browser, duet, ben)
  const badge = () => bens.getByRole('article').getByRole('img', { name: 'Verified' })

  await askForPose(page)
  await page.getByLabel('What the camera sees').waitFor()
  await lookWide('verification-pose', '[role=dialog]', async () => undefined)
  await takeSelfie(page)
  await look('verification-selfie', '[role=dialog]')
  await page.getByRole('button', { name: 'Send selfie' }).click()
  await expect(page.getByRole('dialog', { name: 'Thank you' })).toBeVisible()
  await page.getByRole('dialog').getByText('Close', { exact: true }).click()
  await expect(page.getByText('Your selfie is waiting for review.')).toBeVisible()
  expect(selfies(duet)).toHaveLength(1)
  await bens.goto(`/profile/${mina.id}`)
  await expect(bens.getByRole('heading', { name: /Mina/ }).first()).toBeVisible()
  await expect(badge()).toHaveCount(0)

  await approve(browser, duet, ada)
  expect(selfies(duet)).toEqual([])
  await bens.reload()
  await expect(badge()).toBeVisible()
  await bens.goto('/home')
  await expect(bens.locator('[data-card=top]').getByRole('img', { name: 'Verified' })).toBeVisible()

  await page.goto(`/profile/${mina.id}`)
  await expect(page.getByText('You’ve been verified since').first()).toBeVisible()
  await expect(page.getByText('If you change your first photo, you lose your badge.').first()).toBeVisible()
  await lookWide('verification-own-profile', 'main', async () => undefined)
  await page.getByRole('button', { name: 'Change photo 2' }).click()
  await page.getByRole('menuitem', { name: 'Move earlier' }).click()
  await expect(page.getByText('Show that you’re the person in your photos').first()).toBeVisible()
  await page.getByRole('button', { name: 'Notifications' }).click()
  await expect(page.getByText('You’re no longer verified')).toBeVisible()
  await bens.goto(`/profile/${mina.id}`)
  await expect(bens.getByRole('heading', { name: /Mina/ }).first()).toBeVisible()
  await expect(badge()).toHaveCount(0)
  await page.context().close()
  await bens.context().close()
})

test('the verification screens fit in three widths, both themes and from right to left', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const mina = await someone(duet, 'Mina', { at: wellington, photo: '#c96f4a' })
  const page = await browserOf(browser, duet, mina)
  const { look, lookWide } = lookAt(page, { thrifty: true })
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: 'Get verified' }).waitFor()
  await lookWide('verification-settings', 'main', async () => undefined)
  await page.getByRole('button', { name: 'Get verified' }).click()
  await page.getByRole('dialog').waitFor()
  await lookWide('verification-explained', '[role=dialog]', async () => undefined)
  await page.evaluate(() => localStorage.setItem('language', 'ar'))
  await page.reload()
  await page.getByRole('button', { name: 'التحقق من حسابي' }).click()
  await page.getByRole('dialog').getByRole('listitem').first().waitFor()
  await lookWide('verification-explained-rtl', '[role=dialog]', async () => undefined)
  await page.getByRole('button', { name: 'أرني وضعية' }).click()
  await page.getByRole('dialog', { name: 'وضعيتك' }).waitFor()
  await resize(page, 390)
  await look('verification-pose-rtl', '[role=dialog]')
  await page.context().close()
})
