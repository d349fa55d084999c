import { defineConfig } from '@playwright/test'
import { chromium } from '../tools/browser.ts'
import { tier } from '../tools/tier.ts'

export default defineConfig({
  testDir: '.',
  // What visitors see of the app is taken from it by hand: see the file.
  testMatch: process.env.WELCOME_PICTURES ? '**/*.pictures.ts' : '**/*.spec.ts',
  outputDir: '../test-results/browser',
  fullyParallel: false,
  // In npm test one server and one browser do: a second pair would cost CPU that vitest needs meanwhile.
  workers: tier === 'quick' ? 1 : 4,
  forbidOnly: Boolean(process.env.CI),
  // In CI one unlucky journey doesn't refuse a whole delivery: scripts/test.mjs names and counts those that were retried.
  retries: process.env.CI ? 1 : 0,
  grep: { quick: /^/, long: /@(more-in-)?long\b/, release: /@release\b/ }[tier],
  grepInvert: tier === 'quick' ? /@(long|release)\b/ : [],
  // Deadlines that only a standstill reaches: a journey waits for the thing, however slow the machine is.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  use: {
    launchOptions: await chromium(),
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    // It would answer before page.route does. Where it is the subject, a test lets it in.
    serviceWorkers: 'block',
    video: 'off',
    // Recording what is thrown away where nothing fails is a quarter of the work: TRACE=1 to see why something does.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
})
