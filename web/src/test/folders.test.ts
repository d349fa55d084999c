import { expect, it } from 'vitest'

const files = Object.keys(import.meta.glob(['../**/*', '!../locales/*/*']))
const most = 25

it('no folder has more than 25 files, except the folders of locales, which have one file per feature', () => {
  const sizes = new Map<string, number>()
  for (const file of files) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1)
  }
  expect(sizes.size).toBeGreaterThan(30)
  expect([...sizes].filter(([, size]) => size > most)).toEqual([])
})
