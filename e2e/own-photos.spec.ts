import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import type { Duet } from '../tools/server.ts'
import { violationsOf } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { fingers, keyboard } from './hands.ts'
import { addPhoto, browserOf, picture, someone } from './people.ts'

const wide = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

async function isClean(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
}

/** Draws a red picture with a blue right half, twice as wide as high. `orientation` is the camera's EXIF tag. */
async function halves(width = 1200, orientation = 1): Promise<Buffer> {
  const height = width / 2
  const blue = await sharp({ create: { width: height, height, channels: 3, background: '#2040c0' } })
    .png()
    .toBuffer()
  return sharp({ create: { width, height, channels: 3, background: '#c02020' } })
    .composite([{ input: blue, left: height, top: 0 }])
    .jpeg()
    .withMetadata({ orientation })
    .toBuffer()
}

const ownPhotos = (page: Page) => page.getByRole('list', { name: 'Your photos' })
const jpeg = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer })

async function kept(page: Page, place: number) {
  const src = await ownPhotos(page).getByRole('img').nth(place).getAttribute('src')
  const bytes = await (await page.request.get(src ?? '')).body()
  const { width = 0, height = 0 } = await sharp(bytes).metadata()
  const { channels } = await sharp(bytes).stats()
  return { width, height, means: channels.map(({ mean }) => Math.round(mean)) }
}

async function openEditor(browser: Browser, duet: Duet, options: BrowserContextOptions, colours = ['#a05030']) {
  const mina = await someone(duet, 'Mina')
  for (const colour of colours) await addPhoto(duet, mina, await picture(colour))
  const page = await browserOf(browser, duet, mina, options)
  await page.goto(`/profile/${mina.id}`)
  const file = page.locator('input[type=file]').first()
  const crop = page.getByRole('dialog', { name: 'Crop photo' })
  return { page, file, crop, use: crop.getByRole('button', { name: 'Use this part' }) }
}

test('the crop of a photo is chosen with the keyboard, and changed later', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { page, file, crop, use } = await openEditor(browser, duet, wide)
  await file.setInputFiles(jpeg('halves.jpg', await halves()))
  await expect(use).toBeEnabled()
  await isClean(page)
  await crop.getByRole('group', { name: /^Part of the photo/ }).focus()
  for (let step = 0; step < 40; step++) await page.keyboard.press('ArrowRight')
  await keyboard.press(use)
  await expect(ownPhotos(page).getByRole('img')).toHaveCount(2)
  const first = await kept(page, 1)
  expect(first.width / first.height).toBeCloseTo(3 / 4, 1)
  expect(Math.max(...first.means)).toBe(first.means[0])

  const second = ownPhotos(page).getByRole('img').nth(1)
  const nameOf = async () => (await second.getAttribute('src'))?.split('?')[0]
  const before = await nameOf()
  await keyboard.press(page.getByRole('button', { name: 'Change photo 2' }))
  await page.getByRole('menuitem', { name: 'Crop' }).press('Enter')
  await expect(use).toBeEnabled()
  const zoom = crop.getByRole('slider', { name: 'Zoom' })
  for (let step = 0; step < 25; step++) await zoom.press('ArrowRight')
  await expect(crop.getByRole('alert')).toContainText('at least 200 pixels')
  await expect(use).toBeDisabled()
  await isClean(page)
  for (let step = 0; step < 15; step++) await zoom.press('ArrowLeft')
  await keyboard.press(use)
  await expect(crop).toBeHidden()
  await expect.poll(nameOf).not.toBe(before)
  expect((await kept(page, 1)).width).toBeLessThan(first.width)
  await expect(ownPhotos(page).getByRole('img')).toHaveCount(2)
  await page.context().close()
})

test('fingers move and pinch the crop of a photo, and a rotated picture stands upright', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { page, file, crop, use } = await openEditor(browser, duet, phone)
  // The stored pixels are rotated, as in files from cameras. Upright, the picture is twice as high as wide, with red
  // above blue.
  await file.setInputFiles(jpeg('turned.jpg', await halves(1600, 6)))
  await expect(use).toBeEnabled()
  await isClean(page)
  const { x = 0, y = 0, width = 0, height = 0 } = (await crop.getByRole('group').boundingBox()) ?? {}
  const [midX, midY] = [x + width / 2, y + height / 2]
  await fingers(page, [{ from: [midX, midY], to: [midX, midY - height] }])
  await use.tap()
  await expect(ownPhotos(page).getByRole('img')).toHaveCount(2)
  const { means, width: wideNow, height: highNow } = await kept(page, 1)
  expect(wideNow).toBeLessThan(highNow)
  expect(Math.max(...means)).toBe(means[2])
  await page.context().close()
})

test('closing the crop dialog adds nothing, and the whole photo can be used', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { page, file, crop } = await openEditor(browser, duet, phone)
  await file.setInputFiles(jpeg('halves.jpg', await halves()))
  await crop.getByRole('button', { name: 'Close' }).tap()
  await expect(crop).toBeHidden()
  await expect(ownPhotos(page).getByRole('img')).toHaveCount(1)
  await file.setInputFiles(jpeg('small.jpg', await picture('#a05030', 120)))
  await expect(page.getByRole('alert')).toContainText('at least 200 pixels')
  await file.setInputFiles(jpeg('halves.jpg', await halves()))
  await crop.getByRole('button', { name: 'Use whole photo' }).tap()
  await expect(ownPhotos(page).getByRole('img')).toHaveCount(2)
  const { width, height } = await kept(page, 1)
  expect(width / height).toBeCloseTo(2, 1)
  await page.context().close()
})

const colours = ['#c02020', '#20a040', '#2040c0']
/** Returns the dominant colour of each photo, in order: 0 red, 1 green, 2 blue. */
async function order(page: Page): Promise<number[]> {
  const found = []
  for (const place of [0, 1, 2]) {
    const { means } = await kept(page, place)
    found.push(means.indexOf(Math.max(...means)))
  }
  return found
}
async function middle(locator: Locator): Promise<[number, number]> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await locator.boundingBox()) ?? {}
  return [x + width / 2, y + height / 2]
}

for (const [name, options] of Object.entries({ 'the keyboard': wide, 'a mouse': wide, 'a finger': phone })) {
  test(`photos are reordered with ${name}, and stay in that order`, { tag: '@long' }, async ({ browser, duet }) => {
    const { page } = await openEditor(browser, duet, options, colours)
    const grip = (n: number) => page.getByRole('button', { name: `Your photo ${n}`, exact: true })
    await grip(1).scrollIntoViewIfNeeded()
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/user/updateUser'))
    if (name === 'the keyboard') {
      const live = page.locator('[id^=DndLiveRegion]')
      await grip(1).focus()
      const pickUp = async () => {
        await page.keyboard.press('Space')
        await expect(live).toHaveText('Picked up photo 1 of 3.')
        // The drag library adds its listener for arrow keys in a timer.
        await page.evaluate(() => new Promise((done) => setTimeout(done)))
      }
      await pickUp()
      await page.keyboard.press('ArrowRight')
      await expect(live).toHaveText('Place 2 of 3.')
      await page.keyboard.press('Escape')
      await expect(live).toHaveText('The photo is back where it was.')
      await pickUp()
      await page.keyboard.press('ArrowRight')
      await expect(live).toHaveText('Place 2 of 3.')
      await page.keyboard.press('Space')
      await expect(live).toHaveText('This photo is now 2 of 3.')
    } else {
      const [from, to] = [await middle(grip(1)), await middle(grip(2))]
      if (name === 'a finger')
        await fingers(page, [{ from, to }], () => expect(grip(1)).toHaveAttribute('aria-pressed', 'true'))
      else {
        await page.mouse.move(...from)
        await page.mouse.down()
        await page.mouse.move(...to, { steps: 8 })
        await page.mouse.up()
      }
    }
    await saved
    await expect.poll(() => order(page)).toEqual([1, 0, 2])
    await page.reload()
    await expect.poll(() => order(page)).toEqual([1, 0, 2])
    await page.context().close()
  })
}

const shared = (name: string) => readFile(new URL(`./pictures/${name}`, import.meta.url))

test('a browser that cannot decode HEIC adds a HEIC photo without a MIME type, and only then loads the decoder', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const { page, file } = await openEditor(browser, duet, wide)
  const decoders: string[] = []
  page.on('request', (request) => request.url().includes('heic') && decoders.push(request.url()))
  await file.setInputFiles(jpeg('small.jpg', await picture('#3060a0')))
  await expect(ownPhotos(page).getByRole('img')).toHaveCount(2)
  expect(decoders).toEqual([])
  await file.setInputFiles({ name: 'IMG_0001.HEIC', mimeType: '', buffer: await shared('phone.heic') })
  await expect(ownPhotos(page).getByRole('img')).toHaveCount(3)
  expect(decoders).not.toEqual([])
  expect(await kept(page, 2)).toMatchObject({ width: 600, height: 800 })
})

test('a HEIC photo that cannot be decoded and a damaged JPEG are each refused with their own message', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const { page, file } = await openEditor(browser, duet, wide)
  await page.route(/heic-worker/, (route) => route.abort())
  await file.setInputFiles({ name: 'IMG_0001.HEIC', mimeType: '', buffer: await shared('phone.heic') })
  await expect(page.getByRole('alert').filter({ hasText: 'couldn’t open that HEIC photo' })).toBeVisible()
  await file.setInputFiles({ name: 'cut.jpg', mimeType: '', buffer: await shared('trunc.jpg') })
  await expect(page.getByRole('alert').filter({ hasText: 'is damaged' })).toBeVisible()
})

test('a panorama with more pixels than the server accepts and an animated PNG can both be added', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const { page, file, crop } = await openEditor(browser, duet, wide)
  const panorama = await sharp({ create: { width: 16_000, height: 3700, channels: 3, background: '#3060a0' } })
    .jpeg()
    .toBuffer()
  await file.setInputFiles(jpeg('panorama.jpg', panorama))
  await crop.getByRole('button', { name: 'Use whole photo' }).click()
  await expect(ownPhotos(page).getByRole('img')).toHaveCount(2)
  await file.setInputFiles({ name: 'moving.png', mimeType: 'image/apng', buffer: await shared('apng.png') })
  await expect(ownPhotos(page).getByRole('img')).toHaveCount(3)
})
