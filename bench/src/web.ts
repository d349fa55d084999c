import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium as playwright } from '@playwright/test'
import lighthouse from 'lighthouse'
import { chromium } from '../../tools/browser.ts'
import { median } from '../../tools/percentiles.ts'
import { freePort } from '../../tools/ports.ts'
import { type Figure, report } from '../../tools/report.ts'
import { scriptKilobytes } from '../../tools/script-bytes.ts'
import { startDuet } from '../../tools/server.ts'
import { deckFigures } from './web-deck/deck.ts'
import { signUp } from './web-deck/town.ts'

// P7: the JavaScript that a first load of /login and of /home downloads, and its Lighthouse scores (mobile). P15: how
// soon a match appears, and how smoothly the deck's cards move.
const categories = ['performance', 'accessibility', 'best-practices'] as const
const paint = 'largest-contentful-paint'
type Scores = Record<(typeof categories)[number] | typeof paint, number>

async function scoresOf(url: string, port: number): Promise<Scores> {
  const result = await lighthouse(url, {
    port,
    onlyCategories: [...categories],
    logLevel: 'error',
    disableStorageReset: true,
  })
  const { categories: found = {}, audits = {} } = result?.lhr ?? {}
  const scores = categories.map((name) => [name, Math.round((found[name]?.score ?? 0) * 100)])
  return Object.fromEntries([...scores, [paint, audits[paint]?.numericValue ?? Number.POSITIVE_INFINITY]]) as Scores
}

/** The medians of three runs, because a single Lighthouse run on a busy machine varies too much. */
async function medianScores(url: string, port: number): Promise<Scores> {
  const runs: Scores[] = []
  for (let run = 0; run < 3; run++) runs.push(await scoresOf(url, port))
  const names = [...categories, paint] as const
  return Object.fromEntries(names.map((name) => [name, median(runs.map((scores) => scores[name]))])) as Scores
}

const sizeNote = (path: string) => `gzip -9 of every script loaded until ${path} is quiet`

function scoreFigures(login: Scores, home: Scores): Figure[] {
  const worse = (name: keyof Scores) => Math.min(login[name], home[name])
  const both = (name: keyof Scores) => `Lighthouse mobile, medians of three: /login ${login[name]}, /home ${home[name]}`
  return [
    { id: 'P7.performance', value: worse('performance'), target: '>= 95', note: both('performance') },
    { id: 'P7.accessibility', value: worse('accessibility'), target: '100', note: both('accessibility') },
    {
      id: 'P7.home_lcp_s',
      value: Math.round(home[paint] / 10) / 100,
      target: '<= 1.8',
      note: `largest paint by Lighthouse mobile, medians of three; /login ${Math.round(login[paint] / 10) / 100} s`,
    },
    { id: 'P7.best_practices', value: worse('best-practices'), target: '100', note: both('best-practices') },
  ]
}

// `npm run bench:web -- --only size` skips timings: sizes don't depend on the machine's load. `--only deck` measures
// only P15.
const { values: options } = parseArgs({ options: { only: { type: 'string' } } })
// Without the demo, which would draw its portraits during the measurement.
const duet = await startDuet({ DEMO: 'off' })
const { executablePath, args, env } = await chromium()
const port = await freePort()
const profile = mkdtempSync(join(tmpdir(), 'duet-bench-'))
const context = await playwright.launchPersistentContext(profile, {
  executablePath,
  env,
  args: [...args, `--remote-debugging-port=${port}`],
})
const scores = (path: string) => (options.only === 'size' ? undefined : medianScores(duet.baseURL + path, port))

async function kilobytesOf(path: string): Promise<number> {
  const page = await context.newPage()
  const kilobytes = await scriptKilobytes(page, duet.baseURL + path)
  await page.close()
  return kilobytes
}

async function loadFigures(): Promise<Figure[]> {
  const loginKb = await kilobytesOf('/login')
  const login = await scores('/login')
  const session = await signUp(duet, 'Bench')
  await context.addInitScript((user) => localStorage.setItem('user', user), JSON.stringify(session))
  const homeKb = await kilobytesOf('/home')
  const home = await scores('/home')
  return [
    { id: 'P7.login_kb', value: loginKb, target: '<= 110', note: sizeNote('/login') },
    { id: 'P7.home_kb', value: homeKb, target: '<= 190', note: sizeNote('/home') },
    ...(login && home ? scoreFigures(login, home) : []),
  ]
}

/** Uses a separate browser, so that the other pages can't slow it down. */
async function deckInBrowser(): Promise<Figure[]> {
  const browser = await playwright.launch({ executablePath, args, env })
  return deckFigures(browser, duet).finally(() => browser.close())
}

try {
  report('web', [
    ...(options.only === 'deck' ? [] : await loadFigures()),
    ...(options.only === 'size' ? [] : await deckInBrowser()),
  ])
} finally {
  await context.close()
  await duet.stop()
  rmSync(profile, { recursive: true, force: true })
}
