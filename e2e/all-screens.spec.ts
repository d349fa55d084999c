import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { folder, lookAt, resize, widths } from './look.ts'
import { addPhoto, browserOf, type Someone, say, someone } from './people.ts'
import { walks } from './screen-states.ts'
import type { Duet } from './server.ts'

// Every screen, in both themes and three widths: nothing axe complains of, nothing wider than the window, no complaint
// in the console. With SCREENS=FOLDER each is kept as a small picture. Its name puts the longest file first, so that the
// workers end together.

interface Visit {
  page: Page
  ana: Someone
  ben: Someone
}

const screens: Record<string, (visit: Visit) => Promise<void>> = {
  login: async ({ page }) => {
    await page.goto('/login')
  },
  'sign-up': async ({ page }) => {
    await page.goto('/signup')
  },
  terms: async ({ page }) => {
    await page.goto('/terms')
  },
  home: async ({ page }) => {
    await page.goto('/home')
    await page.locator('[data-card=top]').waitFor()
  },
  nearby: async ({ page }) => {
    await page.goto('/home')
    await page.getByRole('radio', { name: 'Nearby' }).click()
    await page.getByRole('main').getByRole('link').first().waitFor()
  },
  filters: async ({ page }) => {
    await page.goto('/home')
    await page.getByRole('button', { name: /^Filters/ }).click()
    await page.getByRole('dialog').getByText('Both ways').waitFor()
  },
  likes: async ({ page }) => {
    await page.goto('/likes')
    await page.getByText('Is it still warm?').waitFor()
  },
  questions: async ({ page }) => {
    await page.goto('/questions')
    await page.getByRole('heading').first().waitFor()
  },
  'how-matching-works': async ({ page }) => {
    await page.goto('/how-matching-works')
    await page.getByRole('heading').nth(1).waitFor()
  },
  notifications: async ({ page }) => {
    await page.goto('/home')
    await page.getByRole('button', { name: 'Notifications' }).click()
    await page.getByRole('dialog', { name: 'Notifications' }).waitFor()
  },
  profile: async ({ page, ben }) => {
    await page.goto(`/profile/${ben.id}`)
    await page.getByRole('heading', { name: /Ben/ }).first().waitFor()
  },
  'own-profile': async ({ page, ana }) => {
    await page.goto(`/profile/${ana.id}`)
    await page.getByRole('heading').first().waitFor()
  },
  chat: async ({ page, ben }) => {
    await page.goto(`/chat/${ben.id}`)
    await page.getByText('The little place by the canal').first().waitFor()
  },
  settings: async ({ page }) => {
    await page.goto('/settings')
    await page.getByText('This device').first().waitFor()
  },
  privacy: async ({ page }) => {
    await page.goto('/settings')
    const words = page.getByRole('textbox', { name: 'Hidden words' })
    await words.waitFor()
    await words.scrollIntoViewIfNeeded()
  },
  'chat-warnings': async ({ page }) => {
    await page.goto('/chat')
    await page.getByRole('button', { name: /^Noor/ }).click()
    await page.getByRole('region', { name: 'Never send money to somebody you have not met' }).waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('Do you have WhatsApp?')
    await page.getByRole('button', { name: 'Send anyway' }).waitFor()
  },
  admin: async ({ page }) => {
    await page.goto('/admin')
    await page.getByRole('heading').first().waitFor()
  },
  insights: async ({ page }) => {
    await page.goto('/admin?view=insights')
    await page.getByRole('heading').nth(1).waitFor()
  },
  people: async ({ page }) => {
    await page.goto('/admin?view=people')
    await page.getByRole('heading').first().waitFor()
  },
  'dev-ui': async ({ page }) => {
    await page.goto('/dev/ui')
  },
}
const signedOut = new Set(['login', 'sign-up', 'terms', 'how-matching-works', 'dev-ui'])

async function prepare(duet: Duet): Promise<Pick<Visit, 'ana' | 'ben'>> {
  const at = { latitude: 38.7223, longitude: -9.1393 }
  const ana = await someone(duet, 'Ana', {
    email: 'boss@example.com',
    at,
    profile: {
      gender: 'woman',
      interestedIn: [],
      bio: 'I bake, and I run when nobody looks.',
      interests: ['long_walks', 'ceramics', 'cats'],
      prompts: [{ prompt: 'small_joy', answer: 'Bread that cracks when it cools.' }],
    },
  })
  const ben = await someone(duet, 'Ben', {
    at,
    profile: {
      gender: 'man',
      bio: 'Slow mornings, fast bicycles.',
      interests: ['long_walks', 'ceramics', 'night_trains'],
      ...{ heightCm: 184, smoking: 'never', drinking: 'sometimes', languages: ['en', 'pt'] },
      prompts: [
        { prompt: 'proud_of', answer: 'I learned to bake my grandmother’s bread from a photo of her hands.' },
        { prompt: 'argue_about', answer: 'Whether a film can be better than its book.' },
      ],
    },
  })
  await talk(duet, ben, ana)
  const noor = await someone(duet, 'Noor', { at, profile: { gender: 'woman' } })
  await say(duet, noor, ana, 'Could you lend me 200 euros until Friday?')
  const cleo = await someone(duet, 'Cleo', { at, profile: { gender: 'woman' }, photo: '#6b7fa5' })
  await like(duet, cleo, ana)
  await expect.poll(() => countNearby(duet, ana), { timeout: 90_000 }).toBeGreaterThan(folder ? 30 : 6)
  await wearPortrait(duet, ana, 'woman')
  await wearPortrait(duet, ben, 'man')
  return { ana, ben }
}

async function get<T>(duet: Duet, { token }: Someone, path: string): Promise<T> {
  const response = await fetch(duet.baseURL + path, { headers: { authorization: `Bearer ${token}` } })
  return (await response.json()) as T
}

interface Card {
  id: string
  gender: string
  photos: { url: string }[]
}

/** Gives somebody the face of a demo person, so that pictures show what the product looks like with people in it. */
async function wearPortrait(duet: Duet, someone: Someone, gender: string): Promise<void> {
  const { users } = await get<{ users: Card[] }>(duet, someone, '/api/user/nearBy?limit=50')
  for (const { id } of users.reverse()) {
    const card = await get<Card>(duet, someone, `/api/user/${id}`)
    const [photo] = card.photos
    if (card.gender !== gender || !photo) continue
    const response = await fetch(duet.baseURL + photo.url)
    return addPhoto(duet, someone, Buffer.from(await response.arrayBuffer()))
  }
  throw new Error(`no ${gender} with a portrait lives near`)
}

async function like(duet: Duet, { token }: Someone, { id }: Someone): Promise<void> {
  const item = { kind: 'prompt', prompt: 'small_joy' }
  const response = await fetch(`${duet.baseURL}/api/decisions/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ decision: 'like', item, comment: 'Is it still warm?' }),
  })
  if (!response.ok) throw new Error(`the like was refused: ${await response.text()}`)
}

/** Demo people appear one after the other, as they are drawn. */
async function countNearby(duet: Duet, viewer: Someone): Promise<number> {
  return (await get<{ users: Card[] }>(duet, viewer, '/api/user/nearBy?limit=50')).users.length
}

async function talk(duet: Duet, ben: Someone, ana: Someone): Promise<void> {
  const { io } = await import('socket.io-client')
  const socketOf = (person: Someone) => io(duet.baseURL, { auth: { token: person.token }, forceNew: true })
  const [bens, anas] = [socketOf(ben), socketOf(ana)]
  const say = (from: Someone, to: Someone, socket: typeof bens, message: string) =>
    socket.emitWithAck('send_message', { id: crypto.randomUUID(), message, senderId: from.id, receiverId: to.id })
  await say(ben, ana, bens, 'Bold opening. I respect it, and you are wrong.')
  await say(ana, ben, anas, 'Saturday? I am free after five.')
  await say(ben, ana, bens, 'Saturday works.')
  await say(ben, ana, bens, 'The little place by the canal? They do coffee until late.')
  bens.disconnect()
  anas.disconnect()
}

test.use({ serverEnvironment: { SUPER_ADMIN_EMAIL: 'boss@example.com' } })

test.describe('every screen', () => {
  test.setTimeout(240_000)

  let people: Pick<Visit, 'ana' | 'ben'>
  test.beforeAll(async ({ duet }) => {
    test.setTimeout(180_000)
    people = await prepare(duet)
  })

  for (const [name, visit] of Object.entries(screens)) {
    test(`${name} fits and is accessible in both themes and three widths`, async ({ browser, duet }) => {
      const page = signedOut.has(name)
        ? await (
            await browser.newContext({ baseURL: duet.baseURL, reducedMotion: 'reduce', locale: 'en-GB' })
          ).newPage()
        : await browserOf(browser, duet, people.ana)
      const { look } = lookAt(page)
      for (const width of widths) {
        await resize(page, width)
        await visit({ page, ...people })
        await page.waitForLoadState('networkidle')
        await look(name)
      }
      await page.context().close()
    })
  }

  for (const [name, walk] of Object.entries(walks)) {
    test(`${name} fit and are accessible in both themes and three widths`, async ({ browser, duet }) => {
      const page = await browserOf(browser, duet, people.ana)
      await walk({ page, browser, duet, ...people, ...lookAt(page, { thrifty: true }) })
      await page.context().close()
    })
  }
})
