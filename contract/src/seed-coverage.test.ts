import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/seed-coverage.md'), 'utf8')
const rows = text
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, , file]) => file?.startsWith('`'))
  .map(([, sentence = '', file = '', test = '']) => ({ sentence, file: file.replaceAll('`', ''), test }))

/**
 * Returns the source code after a test's title, starting with the test's options and body; undefined if no test has
 * that title.
 */
function findAfterTitle(file: string, test: string): string | undefined {
  const path = join(root, file)
  const source = existsSync(path) ? readFileSync(path, 'utf8').replaceAll("\\'", "'") : ''
  const title = [`'${test}'`, `"${test}"`, `\`${test}\``].find((quoted) => source.includes(quoted))
  return title && source.slice(source.indexOf(title) + title.length)
}

const isQuick = ({ file, test }: { file: string; test: string }) =>
  !/^,\s*\{[^}]*\btags?: \[?'@?(?:long|release)'/.test(findAfterTitle(file, test) ?? '')

it('every section of the specification has rows in the coverage table', () => {
  for (let section = 1; section <= 9; section++) {
    const [, part = ''] = text.split(`## ${section}. `)
    expect(part.split('\n## ')[0]?.includes('| `'), `section ${section}`).toBe(true)
  }
  expect(rows.length).toBeGreaterThan(90)
})

it('every test named in the coverage table exists', () => {
  const missing = rows.filter(({ file, test }) => test === '' || findAfterTitle(file, test) === undefined)
  expect(missing).toEqual([])
})

it('every sentence of the specification has a test that `npm test` runs', () => {
  const quick = new Set(rows.filter(isQuick).map(({ sentence }) => sentence))
  expect(rows.filter(({ sentence }) => !quick.has(sentence))).toEqual([])
})
