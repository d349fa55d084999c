import { limits } from '@duet/contract/limits.ts'
import { expect, it } from 'vitest'
import { moved, photoForm, sortFiles } from './photo-files.ts'

const file = (name: string, type: string, size = 10) => {
  const made = new File(['x'], name, { type })
  Object.defineProperty(made, 'size', { value: size })
  return made
}
const jpeg = file('a.jpg', 'image/jpeg')
const webp = file('b.webp', 'image/webp')

it('takes jpeg, png and webp', () => {
  expect(sortFiles([jpeg, webp, file('c.png', 'image/png')], 6)).toMatchObject({
    good: { length: 3 },
    refusal: undefined,
  })
})

it('refuses other kinds and says so, but takes the rest', () => {
  expect(sortFiles([file('d.heic', 'image/heic'), jpeg], 6)).toEqual({ good: [jpeg], refusal: 'wrongType' })
})

it('refuses a file that is too large before it is sent', () => {
  expect(sortFiles([file('e.jpg', 'image/jpeg', limits.photoBytes + 1)], 6)).toEqual({ good: [], refusal: 'tooLarge' })
})

it('takes no more than fit', () => {
  expect(sortFiles([jpeg, webp], 1)).toEqual({ good: [jpeg], refusal: 'tooMany' })
})

it('names one file without an index', () => {
  expect([...photoForm([jpeg]).keys()]).toEqual(['file', 'size', 'name'])
})

it('names several files by their index', () => {
  expect([...photoForm([jpeg, webp]).keys()]).toEqual(['file', 'size_0', 'name_0', 'file', 'size_1', 'name_1'])
})

it('moves one item', () => {
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
})
