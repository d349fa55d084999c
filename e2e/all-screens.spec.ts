import type { Page } from '@playwright/test'
import { isQuick, sized } from '../tools/size.ts'
import { test } from './fixtures.ts'
import { lookAt, resize, widths } from './look.ts'
import { browserOf } from './people.ts'
import { type Cast, gather } from './screen-people.ts'

// Every screen, in both themes and three widths: nothing axe complains of, nothing wider than the window, no complaint
// in the console. With SCREENS=FOLDER each is kept as a small picture. Its name puts the longest file first, so that the
// workers end together.

interface Visit extends Cast {
  page: Page
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
    await page.getByRole('navigation', { name: 'Settings sections' }).waitFor()
  },
  ...Object.fromEntries(
    ['account', 'profile', 'notifications', 'privacy', 'safety', 'appearance', 'data'].map((section) => [
      `settings-${section}`,
      async ({ page }: Visit) => {
        await page.goto(`/settings/${section}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
      },
    ]),
  ),
  'chat-warnings': async ({ page }) => {
    await page.goto('/chat')
    await page.getByRole('button', { name: /^Noor/ }).click()
    await page.getByRole('region', { name: 'Never send money to someone you haven’t met' }).waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('Do you have WhatsApp?')
    await page.getByRole('button', { name: 'Send anyway' }).waitFor()
  },
  admin: async ({ page }) => {
    await page.goto('/admin')
    await page.getByRole('heading', { name: 'The community' }).waitFor()
  },
  'admin-photos': async ({ page }) => {
    await page.goto('/admin?view=photos')
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

/** Those that the quick form looks at, on a phone. */
const looked = new Set(['login', 'home', 'profile', 'chat'])

test.use({ serverEnvironment: { SUPER_ADMIN_EMAIL: 'boss@example.com', DEMO: isQuick ? 'off' : 'on' } })

test.describe('every screen', () => {
  let people: Cast
  test.beforeAll(async ({ duet }) => {
    people = await gather(duet, { demo: !isQuick })
  })

  for (const [name, visit] of Object.entries(screens)) {
    test(`${name} fits and is accessible in both themes and three widths`, async ({ browser, duet }) => {
      test.skip(isQuick && !looked.has(name))
      const page = signedOut.has(name)
        ? await (
            await browser.newContext({ baseURL: duet.baseURL, reducedMotion: 'reduce', locale: 'en-GB' })
          ).newPage()
        : await browserOf(browser, duet, people.ana)
      const { look } = lookAt(page)
      for (const width of sized<readonly number[]>([390], widths)) {
        await resize(page, width)
        await visit({ page, ...people })
        await page.waitForLoadState('networkidle')
        await look(name)
      }
      await page.context().close()
    })
  }
})
