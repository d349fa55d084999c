import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { violationsOf } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { finger, fingers, type Hand, keyboard, mouse } from './hands.ts'
import { addPhoto, browserOf, picture, type Someone, someone, wellington } from './people.ts'

const wide = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
interface Way {
  hand: Hand
  options: BrowserContextOptions
}
const ways: Record<string, Way> = {
  'a mouse': { hand: mouse, options: wide },
  'a finger': { hand: finger, options: phone },
  'the keyboard alone': { hand: keyboard, options: wide },
}

const prompts = [
  { prompt: 'proud_of', answer: 'I built my own table.' },
  { prompt: 'green_flag', answer: 'Kind to waiters.' },
]

async function isClean(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
}

async function meet(duet: Duet, mine: { at?: typeof wellington } = { at: wellington }) {
  const ben = await someone(duet, 'Ben', { at: wellington, profile: { prompts, gender: 'man' }, photo: '#3b6ea5' })
  for (const colour of ['#2f7d5b', '#b08a2e']) await addPhoto(duet, ben, await picture(colour))
  const mina = await someone(duet, 'Mina', {
    ...mine,
    profile: { gender: 'woman', prompts: [{ prompt: 'small_joy', answer: 'The first swim of the year.' }] },
    photo: '#a05030',
  })
  return { ben, mina }
}

async function decide(duet: Duet, from: Someone, to: Someone, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${from.token}`, 'content-type': 'application/json' }
  const url = `${duet.baseURL}/api/decisions/${to.id}`
  const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${from.name} could not decide: ${answer.status}`)
}

for (const [name, { hand, options }] of Object.entries(ways)) {
  test(`with ${name}, someone likes an answer on a profile, undoes it, and matches through the photo`, {
    tag: '@long',
  }, async ({ browser, duet }) => {
    const { ben, mina } = await meet(duet)
    const page = await browserOf(browser, duet, mina, options)
    await page.goto('/likes')
    await page.goto(`/profile/${ben.id}`)
    const answers = page.getByRole('button', { name: 'Like this answer' })
    const photos = page.getByRole('button', { name: 'Like this photo' })
    await expect(answers).toHaveCount(2)
    await expect(photos).toHaveCount(3)
    await isClean(page)

    await hand.press(answers.first())
    const item = page.getByRole('dialog', { name: 'Like Ben’s answer' })
    await hand.write(item.getByLabel('Add a comment'), 'What wood?')
    await page.keyboard.press('Escape')
    await hand.press(item.getByRole('button', { name: 'Discard' }))
    await expect(item).toBeHidden()
    await expect(answers.first()).toBeFocused()

    await hand.press(answers.nth(1))
    await expect(item).toContainText('Kind to waiters.')
    await hand.press(item.getByRole('button', { name: 'Like' }))
    await expect(page.getByText('You like Ben.')).toBeVisible()
    await expect(answers).toHaveCount(0)
    await isClean(page)
    await hand.press(page.getByRole('button', { name: 'Undo' }))
    await expect(answers).toHaveCount(2)

    await decide(duet, ben, mina, {
      ...{ decision: 'like', comment: 'Which sea?' },
      item: { kind: 'prompt', prompt: 'small_joy' },
    })
    const theirs = page.getByRole('heading', { name: 'Ben likes you' })
    await expect(theirs).toBeVisible()
    await expect(page.getByText('Which sea?')).toBeVisible()
    await expect(page.getByText('The first swim of the year.')).toBeVisible()
    await isClean(page)

    await hand.press(photos.nth(1))
    const photo = page.getByRole('dialog', { name: 'Like Ben’s photo' })
    await hand.write(photo.getByLabel('Add a comment'), 'Where is that?')
    await hand.press(photo.getByRole('button', { name: 'Like' }))
    const match = page.getByRole('dialog', { name: 'It’s a match: you and Ben' })
    await expect(match.getByRole('figure', { name: 'You liked their photo' })).toContainText('Where is that?')
    await page.context().close()
  })
}

test('Back on a profile goes to the previous screen, or to Home if there was none', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { ben, mina } = await meet(duet)
  await decide(duet, ben, mina, { decision: 'like' })
  const page = await browserOf(browser, duet, mina, wide)
  const back = page.getByRole('link', { name: 'Back' })
  await page.goto(`/profile/${ben.id}`)
  await back.click()
  await expect(page).toHaveURL(/\/home$/)
  await page.goto('/likes')
  await page.getByRole('list', { name: 'People who like you' }).getByRole('link', { name: /Ben/ }).click()
  await expect(page).toHaveURL(new RegExp(ben.id))
  await back.click()
  await expect(page).toHaveURL(/\/likes$/)
  await page.context().close()
})

test('without a location the profile says so, and liking works as soon as one is set', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { ben, mina } = await meet(duet, {})
  const here = { geolocation: wellington, permissions: ['geolocation'] }
  const page = await browserOf(browser, duet, mina, { ...phone, ...here })
  await page.goto(`/profile/${ben.id}`)
  const like = page.getByRole('button', { name: 'Like', exact: true })
  await expect(like).toBeDisabled()
  await expect(like).toHaveAccessibleDescription('You can’t like Ben yet. Add your location first.')
  await expect(page.getByRole('button', { name: 'Like this answer' })).toHaveCount(0)
  await isClean(page)
  const add = page.getByRole('button', { name: 'Add location' })
  await add.tap()
  await page.getByRole('button', { name: 'Use my location' }).waitFor()
  await page.keyboard.press('Escape')
  await expect(add).toBeFocused()
  await add.tap()
  await page.getByRole('button', { name: 'Use my location' }).tap()
  await expect(like).toBeEnabled()
  await like.tap()
  await expect(page.getByText('You like Ben.')).toBeVisible()
  await page.context().close()
})

const shown = (page: Page) => page.locator('.yarl__slide_current img')
const counter = (page: Page) => page.locator('.yarl__counter')

const widthOf = async (image: Locator) => (await image.boundingBox())?.width ?? 0

test('enlarged photos can be swiped, pinched and pulled away with a finger', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { ben, mina } = await meet(duet)
  const page = await browserOf(browser, duet, mina, phone)
  await page.goto(`/profile/${ben.id}`)
  const opener = page.getByRole('button', { name: 'Enlarge: Photo 2 of 3 of Ben' })
  await opener.tap()
  const box = page.getByRole('dialog', { name: 'Ben’s photos' })
  await expect(box).toBeVisible()
  await expect(counter(page)).toHaveText(/^2\D+3$/)
  await expect(shown(page)).toBeVisible()
  await isClean(page)
  await fingers(page, [{ from: [320, 420], to: [40, 425] }])
  await expect(counter(page)).toHaveText(/^3\D+3$/)
  // Swiping further on the last photo changes nothing.
  await fingers(page, [{ from: [320, 420], to: [40, 425] }])
  await expect(counter(page)).toHaveText(/^3\D+3$/)
  await fingers(page, [{ from: [40, 420], to: [320, 425] }])
  await expect(counter(page)).toHaveText(/^2\D+3$/)
  const before = await widthOf(shown(page))
  await fingers(page, [
    { from: [180, 420], to: [80, 320] },
    { from: [210, 420], to: [310, 520] },
  ])
  await expect.poll(() => widthOf(shown(page))).toBeGreaterThan(before * 1.2)
  await page.getByRole('button', { name: 'Close' }).tap()
  await expect(box).toBeHidden()
  await expect(opener).toBeFocused()
  await page.context().close()
})

test('arrow keys switch enlarged photos, also from right to left, and Escape closes them', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { ben, mina } = await meet(duet)
  const page = await browserOf(browser, duet, mina, wide)
  for (const { language, opens, next } of [
    { language: 'en', opens: /^Enlarge: Photo 1/, next: 'ArrowRight' },
    { language: 'ar', opens: /^تكبير: الصورة 1/, next: 'ArrowLeft' },
  ]) {
    await page.goto(`/profile/${ben.id}`)
    await page.evaluate((to) => localStorage.setItem('language', to), language)
    await page.reload()
    const opener = page.getByRole('button', { name: opens })
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(counter(page)).toHaveText(/^1\D+3$/)
    await page.keyboard.press(next)
    await expect(counter(page)).toHaveText(/^2\D+3$/)
    await isClean(page)
    await page.keyboard.press('Escape')
    await expect(page.locator('.yarl__root')).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  await page.context().close()
})
