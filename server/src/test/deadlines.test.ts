import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { standstillMs } from './standstill.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folders = ['contract/src', 'server/src', 'web/src', 'bench/src', 'e2e', 'tools']

const isTest = (path: string) => /\.(test|spec)\.tsx?$|(^|\/)test\/|\.test-process\.ts$/.test(path)

/** Every source file of the tests, by its path from the root. */
function testFiles(): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => !path.includes('node_modules') && /\.tsx?$/.test(path))
      .filter((path) => isTest(path) || /^(e2e|tools)\//.test(path)),
  )
}

const toNumber = (digits = '') => Number(digits.replaceAll('_', ''))

/** What a line says of time that a slow machine could miss. */
function faultIn(line: string): string | undefined {
  const own = /\btimeout: ([\d_]+)/.exec(line)
  if (own && toNumber(own[1]) < standstillMs) return 'waits for less than a standstill'
  const end = /^\s*\}, ([\d_]{4,})\)$/.exec(line)
  if (end && toNumber(end[1]) < 300_000) return 'gives a test less time than it may take on a slow machine'
  if (/now\(\) - \w+\)?\)\.toBeLess|took\w*\)\.toBeLess/.test(line)) return 'judges how long something took'
  if (/\bvi\.wait(Until|For)\(.*\)/.test(line) && !/standstill|=> \{$/.test(line)) return 'waits for a second at most'
  if (/\bsetTimeout\([\d_]+\)/.test(line)) return 'gives a journey a time of its own'
  return undefined
}

/** Where less time is what the test is about. */
const meant: Record<string, string> = {
  'e2e/faults/device.ts': 'devices give up a connection sooner than the app does, so that they come back sooner',
  'server/src/test/security/switchboard/vitest.config.ts': 'with a hole open, many a test waits in vain',
}

it('no test depends on how fast the machine is', () => {
  const files = testFiles()
  expect(files.length).toBeGreaterThan(200)
  const faults = files
    .filter((path) => !(path in meant) && !path.endsWith('deadlines.test.ts'))
    .flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, place) => {
          const fault = faultIn(line)
          return fault ? [`${path}:${place + 1} ${fault}: ${line.trim()}`] : []
        }),
    )
  expect(faults).toEqual([])
})

it.each([
  '    await expect.poll(() => seen, { timeout: 5_000 }).toBe(true)',
  '  }, 20_000)',
  '    const url = await vi.waitUntil(ready, patience)',
  '    expect(performance.now() - since).toBeLessThan(2_000)',
  '  test.setTimeout(120_000)',
])('would find %s', (line) => {
  expect(faultIn(line)).toBeDefined()
})

/** Tests that read a clock, and why no speed of the machine decides them. */
const clockReaders: Record<string, string> = {
  'contract/src/text-signals.test.ts': 'the best of five; the bound is fifteen times what is seen',
  'server/src/platform/database/until-answers.test.ts': 'something takes at least so long',
  'server/src/platform/realtime/realtime.test.ts': 'something takes at least so long',
  'server/src/platform/security/session-ends.test.ts': 'how often something comes, for the time it took',
  'server/src/test/security/flood.test.ts': 'tells figures',
  'server/src/test/security/hostile-files.test.ts': 'tells figures; judged in the full form alone',
  'server/src/test/security/price-measured.test.ts': 'tells figures; judged in the full form alone',
  'server/src/test/security/sign-in.test.ts': 'tells figures',
  'server/src/test/security/uploads.test.ts': 'tells figures',
}

it('no test compares times, however it takes them', () => {
  const readers = testFiles()
    .filter((path) => /\.test\.tsx?$/.test(path) && !path.endsWith('deadlines.test.ts'))
    .filter((path) => /performance\.now\(\)|\bhrtime\b|cpuUsage\(/.test(readFileSync(join(root, path), 'utf8')))
  expect(readers.toSorted()).toEqual(Object.keys(clockReaders).toSorted())
})

/** Statements of a test about sessions or locks of the whole server that ask for more than one database's. */
const unbounded = (source: string) =>
  (source.match(/`[^`]*`|'[^'\n]*'|"[^"\n]*"/g) ?? []).filter(
    (text) => /\bfrom pg_(locks|stat_activity)\b/.test(text) && !/\bdatname\b/.test(text),
  )

it('no test counts the sessions or locks of other tests, which share its PostgreSQL', () => {
  const faults = testFiles()
    .filter((path) => !path.endsWith('deadlines.test.ts'))
    .flatMap((path) => unbounded(readFileSync(join(root, path), 'utf8')).map((text) => `${path}: ${text}`))
  expect(faults).toEqual([])
  expect(unbounded("owner.query(`select from pg_locks where relation = 'people'::regclass`)")).toHaveLength(1)
})

/** A file in which one test goes on drawing where another has stopped, which may be anywhere. */
const sharesDraws = (source: string) => /^(const|let) (\w+) = seededRandom\(/m.test(source)

it('no test draws on from where another test of its file has stopped', () => {
  const isShared = (path: string) =>
    /\.(test|spec)\.tsx?$/.test(path) && sharesDraws(readFileSync(join(root, path), 'utf8'))
  expect(testFiles().filter(isShared)).toEqual([])
  expect(sharesDraws('\nconst random = seededRandom(5)\n')).toBe(true)
})
