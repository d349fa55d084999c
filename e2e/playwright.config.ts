import { defineConfig } from '@playwright/test'
import { chromium } from '../tools/browser.ts'
import { tier } from '../tools/tier.ts'

export default defineConfig({
  testDir: '.',
  // Pictures are taken only by hand, with the commands given in their files.
  testMatch: process.env.WELCOME_PICTURES ? '**/*.pictures.ts' : '**/*.spec.ts',
  outputDir: '../test-results/browser',
  fullyParallel: false,
  // The quick suite uses one server and one browser: a second pair would take CPU that vitest needs.
  workers: tier === 'quick' ? 1 : 4,
  forbidOnly: Boolean(process.env.CI),
  // In CI, one flaky journey doesn't fail a release. scripts/test.mjs lists and counts retried tests.
  retries: process.env.CI ? 1 : 0,
  grep: { quick: /^/, long: /@(more-in-)?long\b/, release: /@release\b/ }[tier],
  grepInvert: tier === 'quick' ? /@(long|release)\b/ : [],
  // Journeys wait for conditions, however slow the machine is. Only a journey that hangs reaches these timeouts.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  use: {
    launchOptions: await chromium(),
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    // A service worker would answer before page.route does. Tests of the worker allow it.
    serviceWorkers: 'block',
    video: 'off',
    // Recording traces takes a quarter of the CPU. Set TRACE=1 to investigate a failure.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
})
