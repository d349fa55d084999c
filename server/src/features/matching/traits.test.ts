import { expect, it } from 'vitest'
import { childrenOf, countBits, drinkingOf, intentsOf, learnable, smokingOf } from './traits.ts'

it('each group of traits is read without the others', () => {
  const said = (1 << (0b0101 - 1)) | (1 << (15 + 2)) | (1 << 20) | (1 << (23 + 1)) | (1 << 31)
  expect([intentsOf(said), childrenOf(said), smokingOf(said), drinkingOf(said)]).toEqual([0b0101, 2, 0, 1])
  expect([intentsOf(0), childrenOf(0), smokingOf(0), drinkingOf(0)]).toEqual([0, -1, -1, -1])
  expect(intentsOf(1 << 14)).toBe(0b1111)
})

it('countBits counts the bits of any mask', () => {
  expect([0, 1, -1, 0x7fffffff, 0b1011, 1 << 31].map(countBits)).toEqual([0, 1, 32, 31, 3, 1])
})

it('diets are never learned from', () => {
  for (let bit = 0; bit < 32; bit++) expect(((1 << bit) & learnable) !== 0).toBe(bit < 26)
})
