import { expect, test } from 'vitest'
import page from '../../../docs/terms.md?raw'

const files = import.meta.glob<Record<string, unknown>>('./*/*.json', { eager: true, import: 'default' })
const languages = { English: 'en', Spanish: 'es', Arabic: 'ar' } as const

/** Every text of a language by its name: `thread:act.reply`. */
function textsOf(language: string): Map<string, string> {
  const texts = new Map<string, string>()
  const add = (name: string, value: unknown) => {
    if (typeof value === 'string') texts.set(name, value)
    else
      for (const [key, child] of Object.entries(value as object))
        add(`${name}${name.endsWith(':') ? '' : '.'}${key}`, child)
  }
  for (const [path, content] of Object.entries(files)) {
    const [, folder, file = ''] = path.split('/')
    if (folder === language) add(`${file.replace('.json', '')}:`, content)
  }
  return texts
}

/** The cells of each row of the table below a heading. */
function rowsBelow(heading: string): string[][] {
  const section = page.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const codesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

/** Finds a word that is not used, wherever it stands alone; a hyphen stands for any beginning or ending. */
function unwanted(word: string): RegExp {
  const start = word.startsWith('-') ? '' : '(?<![\\p{L}\\p{N}])'
  const end = word.endsWith('-') ? '' : '(?![\\p{L}\\p{N}])'
  return new RegExp(`${start}${word.replace(/^-|-$/g, '')}${end}`, 'iu')
}

const terms = rowsBelow('One name per thing')

for (const [place, [name, language]] of Object.entries(languages).entries()) {
  const texts = textsOf(language)

  test(`${name}: each thing has its one name`, () => {
    expect(terms.length).toBeGreaterThan(30)
    for (const row of terms) {
      const [, required = ''] = /\*\*(.+)\*\*/.exec(row[1 + place] ?? '') ?? []
      expect(required, row[0]).not.toBe('')
      for (const key of codesIn(row[4]))
        expect(texts.get(key)?.toLowerCase(), `${row[0]}: ${key}`).toContain(required.toLowerCase())
    }
  })

  test(`${name}: no text has a word that we don't use`, () => {
    const rows = rowsBelow(name)
    expect(rows.length).toBeGreaterThan(5)
    const found = rows.flatMap(([words, instead, exceptions]) =>
      codesIn(words).flatMap((word) =>
        [...texts]
          .filter(([key, text]) => unwanted(word).test(text) && !codesIn(exceptions).includes(key))
          .map(([key, text]) => `${key}: "${word}" (${instead}) in: ${text}`),
      ),
    )
    expect(found).toEqual([])
  })
}
