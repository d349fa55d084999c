import { expect, it } from 'vitest'

const texts = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../test/**'], {
  eager: true,
  query: '?raw',
  import: 'default',
})
const inKeyPlace =
  /(?:(?:query|mutation)Key:\s*|Key = (?:\([^)]*\)[^=]*=> )?|(?:QueryData|QueryState)(?:<[^(]*>)?\(\s*)\['([\w-]+)'/g
const alone = /(?<!\w)\['([\w-]+)'\](?! =|:)/g
const partOf = (file: string) => /^[.][.]\/(?:(?:features|screens)\/)?([^/]+)/.exec(file)?.[1] ?? file

it('the first part of each query key is written in only one feature', () => {
  const found = (pattern: RegExp) =>
    Object.entries(texts).flatMap(([file, text]) =>
      [...text.matchAll(pattern)].map(([, root = '']) => ({ root, part: partOf(file) })),
    )
  const keys = found(inKeyPlace)
  const roots = new Set(keys.map(({ root }) => root))
  const parts = new Map<string, Set<string>>()
  for (const { root, part } of [...keys, ...found(alone)])
    if (roots.has(root)) parts.set(root, (parts.get(root) ?? new Set()).add(part))
  expect(roots.size).toBeGreaterThan(20)
  expect([...parts].filter(([, where]) => where.size > 1).map(([root, where]) => [root, ...where])).toEqual([])
})
