import { expect, test } from 'vitest'

const texts = import.meta.glob<string>('../**/*.{test,test-*}.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const self = './waiting.test.ts'

const hasty: [why: string, RegExp][] = [
  ['waits a second at most: eventually() waits until nothing moves', /vi\.waitFor\(|vi\.waitUntil\(|expect\.poll\(/],
  ['has a time limit of its own: setup.ts has the one for all', /\btimeout: \d|asyncUtilTimeout/],
  [
    "React's own act() does not know of the searches around it: take the one of Testing Library",
    /\bact\b[^;\n]*from 'react'/,
  ],
  ['measures how fast this machine is', /expect\((Date|performance)\.now\(\) - /],
]

test('no test of a page depends on how fast the machine is', () => {
  expect(Object.keys(texts).length).toBeGreaterThan(50)
  const found = Object.entries(texts).flatMap(([file, text]) =>
    hasty.flatMap(([why, pattern]) => (file !== self && pattern.test(text) ? [`${file} ${why}`] : [])),
  )
  expect(found).toEqual([])
})
