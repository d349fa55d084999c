import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import sharp from 'sharp'
import type { Duet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { addPhoto, browserOf, type Someone, say, someone } from './people.ts'

// Takes the pictures of the app for visitors, in both themes:
// WELCOME_PICTURES=web/src/features/accounts/welcome/pictures npx playwright test -c e2e
const folder = process.env.WELCOME_PICTURES ?? ''
const berlin = { latitude: 52.52, longitude: 13.405 }
const size = { width: 390, height: 640 }
/** The height of the navigation bar at the bottom of a phone, which is cropped. */
const tabs = 68

test.use({ serverEnvironment: { DEMO: 'on' } })

async function get<T>(duet: Duet, { token }: Someone, path: string): Promise<T> {
  const response = await fetch(duet.baseURL + path, { headers: { authorization: `Bearer ${token}` } })
  return (await response.json()) as T
}

interface Card {
  id: string
  age: number
  interests: string[]
  photos: { url: string }[]
}

async function withFace(duet: Duet, name: string, face: Card | undefined, profile: Record<string, unknown>) {
  const who = await someone(duet, name, { at: berlin, profile })
  const picture = await fetch(duet.baseURL + face?.photos[0]?.url)
  const jpeg = await sharp(Buffer.from(await picture.arrayBuffer()))
    .jpeg()
    .toBuffer()
  await addPhoto(duet, who, jpeg)
  return who
}

const talk = [
  ['luca', 'The market, then nothing. Which market?'],
  ['ana', 'The one by the canal. I go for the cheese and stay for the gossip.'],
  ['luca', 'The stall with the loud radio?'],
  ['ana', 'That’s the one. Saturday at eleven?'],
  ['luca', 'I’ll bring coffee.'],
] as const

async function take(page: Page, name: string): Promise<void> {
  // Wait until images have loaded and faded in.
  await page.waitForTimeout(1_500)
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await expect(page.locator(`html[data-theme=${theme}]`)).toBeAttached()
    await sharp(await page.screenshot({ clip: { x: 0, y: 0, ...size } }))
      .webp({ quality: 72 })
      .toFile(join(folder, `${name}-${theme}.webp`))
  }
}

async function phoneOf(browser: Browser, duet: Duet, who: Someone) {
  const phone: BrowserContextOptions = {
    locale: 'en-GB',
    viewport: { ...size, height: size.height + tabs },
    deviceScaleFactor: 1.6,
    isMobile: true,
    hasTouch: true,
  }
  return browserOf(browser, duet, who, phone)
}

test('pictures of the app for visitors', async ({ browser, duet }) => {
  mkdirSync(folder, { recursive: true })
  const scout = await someone(duet, 'Scout', { at: berlin })
  let young: Card[] = []
  // The demo world is created around the first location that someone sets.
  await expect
    .poll(async () => {
      const { users } = await get<{ users: Card[] }>(duet, scout, '/api/user/nearBy?limit=50')
      young = users.filter(({ age, photos }) => age > 24 && age < 40 && photos.length > 0)
      return young.length
    })
    .toBeGreaterThan(5)
  const [liked, ...others] = young
  const ana = await withFace(duet, 'Ana', others.at(-1), {
    ...{ gender: 'woman', interestedIn: ['woman', 'man', 'nonbinary'], intents: ['relationship', 'dating'] },
    ...{
      ageMin: 24,
      ageMax: 40,
      maxDistanceKm: null,
      bio: 'Baker, slow walker.',
      interests: liked?.interests.slice(0, 3),
    },
    prompts: [{ prompt: 'perfect_sunday', answer: 'The market, then nothing.' }],
  })
  const luca = await withFace(duet, 'Luca', others.at(-2), { gender: 'man', interestedIn: ['woman'] })
  for (const [who, words] of talk)
    await say(duet, ...((who === 'ana' ? [ana, luca] : [luca, ana]) as [Someone, Someone]), words)
  const page = await phoneOf(browser, duet, ana)
  await page.goto('/home')
  await page.locator('[data-card=top] img').first().waitFor()
  await take(page, `deck`)
  await page.goto(`/profile/${liked?.id}`)
  await page.getByRole('heading').first().waitFor()
  // Scroll past the match reasons, down to the name.
  await page.evaluate(() => window.scrollTo(0, 400))
  await take(page, `reasons`)
  await page.goto(`/chat/${luca.id}`)
  await page.getByRole('log').getByText('I’ll bring coffee.').waitFor()
  await take(page, `chat`)
  await page.context().close()
})
