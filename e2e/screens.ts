import type { Browsing } from './engines/browsing.ts'
import type { Cast } from './screen-people.ts'

export interface Visit extends Cast {
  page: Browsing
  say: (key: string) => string
}

export const screens: Record<string, (visit: Visit) => Promise<void>> = {
  login: async ({ page }) => {
    await page.goto('/login')
  },
  'sign-up': async ({ page }) => {
    await page.goto('/signup')
  },
  unsubscribe: async ({ page }) => {
    await page.goto('/unsubscribe?token=none')
    await page.getByRole('button').waitFor()
  },
  'undo-address': async ({ page }) => {
    await page.goto('/undo-address#none')
    await page.getByRole('button').waitFor()
  },
  terms: async ({ page }) => {
    await page.goto('/terms')
  },
  home: async ({ page }) => {
    await page.goto('/home')
    await page.locator('[data-card=top]').waitFor()
  },
  nearby: async ({ page, say }) => {
    await page.goto('/home')
    await page.getByRole('radio', { name: say('discovery:modes.nearby') }).click()
    await page.getByRole('main').getByRole('link').first().waitFor()
  },
  filters: async ({ page, say }) => {
    await page.goto('/home')
    await page.getByRole('button', { name: say('discovery:filters') }).click()
    await page.getByRole('dialog').getByText(say('discovery:pool.bothWays')).waitFor()
  },
  likes: async ({ page }) => {
    await page.goto('/likes')
    await page.getByText('Is it still warm?').waitFor()
  },
  questions: async ({ page }) => {
    await page.goto('/questions')
    await page.getByRole('heading', { level: 2 }).first().waitFor()
  },
  answers: async ({ page }) => {
    await page.goto('/questions?view=answers')
    await page.getByRole('heading', { level: 3 }).first().waitFor()
  },
  question: async ({ page, say }) => {
    await page.goto('/questions?topic=love&question=relationship_kind')
    await page.getByRole('radio').first().check()
    await page.getByRole('button', { name: say('questions:importance.very') }).click()
    await page.getByText(say('questions:accepts')).waitFor()
  },
  'how-matching-works': async ({ page }) => {
    await page.goto('/how-matching-works')
    await page.getByRole('heading').nth(1).waitFor()
  },
  notifications: async ({ page, say }) => {
    await page.goto('/home')
    await page.getByRole('button', { name: say('common:nav.notifications') }).click()
    await page.getByRole('dialog', { name: say('common:nav.notifications') }).waitFor()
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
  report: async ({ page, say }) => {
    await page.goto('/report')
    await page.getByText(say('reports:past.none')).waitFor()
  },
  settings: async ({ page, say }) => {
    await page.goto('/settings')
    await page.getByRole('navigation', { name: say('own-settings:list') }).waitFor()
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
  'chat-warnings': async ({ page, say }) => {
    await page.goto('/chat')
    await page.getByRole('button', { name: /^Noor/ }).click()
    await page.getByRole('region', { name: say('thread:warning.money.title') }).waitFor()
    await page.getByRole('textbox', { name: say('thread:message') }).fill('Do you have WhatsApp?')
    await page.getByRole('button', { name: say('thread:nudge.send') }).waitFor()
  },
  admin: async ({ page, say }) => {
    await page.goto('/admin')
    await page.getByRole('heading', { name: say('moderation:overview.community') }).waitFor()
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

export const signedOut = new Set([
  'login',
  'sign-up',
  'unsubscribe',
  'undo-address',
  'terms',
  'how-matching-works',
  'dev-ui',
])
