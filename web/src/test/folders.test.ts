import { expect, it } from 'vitest'

const files = Object.keys(import.meta.glob(['../**/*', '!../locales/*/*']))
const most = 25

it('no folder is too long to read, but the texts of a language, one file a feature', () => {
  const sizes = new Map<string, number>()
  for (const file of files) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1)
  }
  expect(sizes.size).toBeGreaterThan(30)
  expect([...sizes].filter(([, size]) => size > most)).toEqual([])
})
