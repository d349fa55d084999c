import { defineConfig } from '@playwright/test'
import { chromium } from './browser.ts'

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results/browser',
  fullyParallel: false,
  // A good part of the time they wait: for pages, timers and each other.
  workers: 4,
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
    // Recording what is thrown away where nothing fails is a quarter of the work: TRACE=1 to see why something does.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
})
