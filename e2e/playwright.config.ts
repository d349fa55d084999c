import { defineConfig } from '@playwright/test'
import { chromium } from './browser.ts'

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results/browser',
  fullyParallel: false,
  // Half of the time they wait: for pages, timers and each other.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    launchOptions: await chromium(),
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    video: 'off',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
})
