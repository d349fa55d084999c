import { expect, it } from 'vitest'
import { moved, photoForm } from './photo-files.ts'

const jpeg = new File(['x'], 'a.jpg', { type: 'image/jpeg' })
const webp = new File(['x'], 'b.webp', { type: 'image/webp' })

it('A single file is sent without an index', () => {
  expect([...photoForm([jpeg]).keys()]).toEqual(['file', 'size', 'name'])
})

it('Several files are sent with their index', () => {
  expect([...photoForm([jpeg, webp]).keys()]).toEqual(['file', 'size_0', 'name_0', 'file', 'size_1', 'name_1'])
})

it('moved moves one item to another place', () => {
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
})
