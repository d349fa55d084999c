import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { filesIn } from '../../../tools/test-files.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folders = ['bench', 'contract', 'docs', 'e2e', 'scripts', 'server', 'tools', 'web']
const documents = ['CHANGELOG.md', 'CONTRIBUTING.md', 'README.md']

/** What stays as it is, and why. The texts of the app have rules of their own: docs/terms.md. */
const allowed: Record<string, string> = {
  'docs/terms.md': 'names the words',
  'docs/decisions/030-a-ban-outlives-its-account.md': 'links to a file that is named so',
  'server/database/schema/discovery.sql': 'never changes',
  'server/src/test/words.test.ts': 'names the words',
}

const stiff = /\b(whoever|somebody|anybody|nobody|whom)\b/i

const sources = () => [
  ...documents,
  ...folders.flatMap(filesIn).filter((path) => /\.(ts|tsx|mjs|sql|md)$/.test(path) && !path.includes('/locales/')),
]

/** Comments, and quoted sentences: titles of tests, errors, lines of the log. A word alone is a name. */
function sentencesOf(path: string, text: string): string[] {
  if (path.endsWith('.md')) return text.split('\n')
  const line = path.endsWith('.sql') ? '--' : '//'
  const parts = new RegExp(
    String.raw`/\*[\s\S]*?\*/|(?<!:)${line}[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\`(?:[^\`\\]|\\.)*\``,
    'g',
  )
  return (text.match(parts) ?? []).filter((part) => part.includes(' '))
}

it('comments, titles and documents say someone, anyone, no one and who', () => {
  const files = sources().filter((path) => !(path in allowed))
  expect(files.length).toBeGreaterThan(1_000)
  const found = files.flatMap((path) =>
    sentencesOf(path, readFileSync(join(root, path), 'utf8'))
      .filter((part) => stiff.test(part))
      .map((part) => `${path}: ${part.slice(0, 200)}`),
  )
  expect(found).toEqual([])
})

it.each([
  ['a.test.ts', "it('tells nobody', () => undefined)"],
  ['a.ts', '// Whoever is away is told later.'],
  ['a.sql', '-- Who was shown to whom.'],
  ['a.md', 'Anybody may read this.'],
])('would find it in %s: %s', (path, text) => {
  expect(sentencesOf(path, text).filter((part) => stiff.test(part))).toHaveLength(1)
})

it('leaves names alone', () => {
  expect(sentencesOf('a.ts', "const nobody = t('nobody')").filter((part) => stiff.test(part))).toEqual([])
})
