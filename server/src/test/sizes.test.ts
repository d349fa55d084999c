import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesIn, isShortened, longForms, testFiles } from '../../../tools/test-files.ts'

// npm test and npm run test:long together run everything.
const root = join(import.meta.dirname, '../../..')
const sources = ['contract', 'server', 'web', 'bench', 'e2e', 'tools', 'scripts'].flatMap(filesIn)
const tests = [...testFiles('vitest'), ...testFiles('playwright')]
const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('every file of tests is run by npm test, if only in part', () => {
  expect(tests.length).toBeGreaterThan(250)
  expect(tests.toSorted()).toEqual(sources.filter((path) => /\.(test|spec)\.[a-z]+$/.test(path)).toSorted())
})

it('what npm test leaves out or makes short is run whole by npm run test:long', () => {
  const long = [...longForms('vitest'), ...longForms('playwright')]
  const asking = tests.filter((path) => /\b(isQuick|sized\()/.test(read(path)) && !path.endsWith('sizes.test.ts'))
  expect(asking.length).toBeGreaterThan(30)
  expect(asking).toEqual(long)
})

it('no test asks for the size by a file that npm run test:long does not know of', () => {
  const helpers = sources.filter((path) => path.endsWith('.ts') && !tests.includes(path) && isShortened(path))
  // Workers are no tests.
  expect(helpers).toEqual(['e2e/playwright.config.ts'])
})

it('a test is left out for its length, or where the machine cannot run it, and for nothing else', () => {
  const reasons = ['isQuick', 'isFull', '!hasRedis', '!canUnshare']
  const skips =
    /\b(?:it|test|describe)\.(?:(?:skipIf|runIf|skip|fixme|fail)\(([^)]*)|(?:todo|only|fails|skip\.each)\b)/g
  const others = tests
    .filter((path) => !path.endsWith('sizes.test.ts'))
    .flatMap((path) => [...read(path).matchAll(skips)].map(([text, reason = '']) => ({ path, text, reason })))
    .filter(
      ({ reason }) =>
        !/^!has\('[\w-]+'$/.test(reason) && !reasons.some((one) => reason === one || reason.startsWith(`${one} && `)),
    )
  expect(others).toEqual([])
})

/** Whether `npm test` leaves out the test of this name. */
function isLeftOut(file: string, test: string): boolean {
  const code = read(file).replaceAll("\\'", "'")
  const [before = '', after = ''] = code.split(
    new RegExp(`['"\`]${test.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}['"\`]`),
  )
  return before.endsWith('skipIf(isQuick)(') || /^[^\n]*(\n[^\n]*){0,3}test\.skip\(isQuick/.test(after)
}

it('every sentence of the specification has a test that npm test runs', () => {
  const rows = read('docs/seed-coverage.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, , file]) => file?.startsWith('`'))
    .map(([, sentence = '', file = '', test = '']) => ({ sentence, file: file.replaceAll('`', ''), test }))
  expect(rows.length).toBeGreaterThan(90)
  const held = new Set(rows.filter(({ file, test }) => !isLeftOut(file, test)).map(({ sentence }) => sentence))
  expect(rows.filter(({ sentence }) => !held.has(sentence))).toEqual([])
})

it('.ci/run runs both', () => {
  expect(read('.ci/run')).toMatch(/^npm test .*^npm run test:long /ms)
})
