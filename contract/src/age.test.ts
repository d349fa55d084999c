import { describe, expect, it } from 'vitest'
import { ageOn } from './age.ts'

describe('age', () => {
  it.each([
    ['2008-05-17', '2026-05-16', 17],
    ['2008-05-17', '2026-05-17', 18],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2008-02-29', '2028-02-28', 19],
    ['2008-02-29', '2028-02-29', 20],
    ['2008-03-01', '2026-02-28', 17],
    ['2008-12-31', '2026-12-31', 18],
    ['2009-01-01', '2026-12-31', 17],
  ])('of someone born on %s is, on %s, %i years', (birthDate, today, age) => {
    expect(ageOn(birthDate, today)).toBe(age)
  })
})
