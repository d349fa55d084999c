import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type BrowserContext, chromium as playwright } from '@playwright/test'
import lighthouse from 'lighthouse'
import { chromium } from '../../e2e/browser.ts'
import { type Duet, startDuet } from '../../e2e/server.ts'
import { type Figure, report } from './report.ts'

// P7: what a first load of /login and of /home costs in JavaScript, and what Lighthouse says of them (mobile).
const categories = ['performance', 'accessibility', 'best-practices'] as const
type Scores = Record<(typeof categories)[number], number>

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

/** Kilobytes (1000 bytes) of JavaScript that a page loads until it is quiet, each file compressed with gzip -9. */
async function scriptKilobytes(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage()
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.close()
  const bytes = await Promise.all(sizes)
  return Math.round(bytes.reduce((sum, size) => sum + size, 0) / 100) / 10
}

async function post(duet: Duet, path: string, body: object): Promise<object> {
  const headers = { 'content-type': 'application/json' }
  return (
    await fetch(duet.baseURL + path, { method: 'POST', body: JSON.stringify(body), headers })
  ).json() as Promise<object>
}

async function signUp(duet: Duet): Promise<object> {
  const email = 'bench@example.com'
  await post(duet, '/api/user/requestOtp', { email })
  const otp = await duet.outbox(email)
  return post(duet, '/api/user/register', { email, otp, name: 'Bench', birthDate: '1990-01-01', acceptTerms: true })
}

async function scoresOf(url: string, port: number): Promise<Scores> {
  const result = await lighthouse(url, {
    port,
    onlyCategories: [...categories],
    logLevel: 'error',
    disableStorageReset: true,
  })
  const found = result?.lhr.categories ?? {}
  return Object.fromEntries(categories.map((name) => [name, Math.round((found[name]?.score ?? 0) * 100)])) as Scores
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** The medians of three runs: one run of Lighthouse on a busy machine says little. */
async function medianScores(url: string, port: number): Promise<Scores> {
  const runs: Scores[] = []
  for (let run = 0; run < 3; run++) runs.push(await scoresOf(url, port))
  return Object.fromEntries(categories.map((name) => [name, median(runs.map((scores) => scores[name]))])) as Scores
}

const sizeNote = (path: string) => `gzip -9 of every script loaded until ${path} is quiet`

function scoreFigures(login: Scores, home: Scores): Figure[] {
  const worse = (name: keyof Scores) => Math.min(login[name], home[name])
  const both = (name: keyof Scores) => `Lighthouse mobile, medians of three: /login ${login[name]}, /home ${home[name]}`
  return [
    { id: 'P7.performance', value: worse('performance'), target: '>= 95', note: both('performance') },
    { id: 'P7.accessibility', value: worse('accessibility'), target: '100', note: both('accessibility') },
    { id: 'P7.best_practices', value: worse('best-practices'), target: '100', note: both('best-practices') },
  ]
}

// `npm run bench:web -- --only size` leaves Lighthouse out: sizes are the same on a busy machine.
const { values: options } = parseArgs({ options: { only: { type: 'string' } } })
const duet = await startDuet()
const { executablePath, args, env } = await chromium()
const port = await freePort()
const profile = mkdtempSync(join(tmpdir(), 'duet-bench-'))
const context = await playwright.launchPersistentContext(profile, {
  executablePath,
  env,
  args: [...args, `--remote-debugging-port=${port}`],
})
const scores = (path: string) => (options.only === 'size' ? undefined : medianScores(duet.baseURL + path, port))
try {
  const loginKb = await scriptKilobytes(context, `${duet.baseURL}/login`)
  const login = await scores('/login')
  const session = await signUp(duet)
  await context.addInitScript((user) => localStorage.setItem('user', user), JSON.stringify(session))
  const homeKb = await scriptKilobytes(context, `${duet.baseURL}/home`)
  const home = await scores('/home')
  report('web', [
    { id: 'P7.login_kb', value: loginKb, target: '<= 110', note: sizeNote('/login') },
    { id: 'P7.home_kb', value: homeKb, target: '<= 190', note: sizeNote('/home') },
    ...(login && home ? scoreFigures(login, home) : []),
  ])
} finally {
  await context.close()
  await duet.stop()
  rmSync(profile, { recursive: true, force: true })
}
