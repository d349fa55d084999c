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

/** Whether a file defines a test of this name. */
function defines(file: string, test: string): boolean {
  const path = join(root, file)
  if (!existsSync(path)) return false
  const code = readFileSync(path, 'utf8').replaceAll("\\'", "'")
  return [`'${test}'`, `"${test}"`, `\`${test}\``].some((name) => code.includes(name))
}

it('every section of the specification has rows', () => {
  for (let section = 1; section <= 9; section++) {
    const [, part = ''] = text.split(`## ${section}. `)
    expect(part.split('\n## ')[0]?.includes('| `'), `section ${section}`).toBe(true)
  }
  expect(rows.length).toBeGreaterThan(90)
})

it('every test that the coverage names is there', () => {
  const missing = rows.filter(({ file, test }) => test === '' || !defines(file, test))
  expect(missing).toEqual([])
})
