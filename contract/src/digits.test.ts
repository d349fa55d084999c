import { expect, it } from 'vitest'
import { Code } from './accounts.ts'
import { digitsOf, latinDigits } from './digits.ts'
import { foldedText } from './folded-text.ts'
import { verifySecondFactor } from './second-factor.ts'

/**
 * Numbering systems whose ten digits are all in Unicode's decimal class (`Nd`). The digits of `hanidec`, for example,
 * aren't.
 */
const systems = Intl.supportedValuesOf('numberingSystem').filter((system) => {
  const digits = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(1234567890)
  return /^\p{Nd}{10}$/u.test(digits)
})
const written = (system: string, number: number) =>
  new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(number)

it('the tested numbering systems include the digits that people type', () => {
  for (const system of ['arab', 'arabext', 'deva', 'beng', 'thai', 'fullwide', 'mathsans'])
    expect(systems).toContain(system)
})

it.each(systems)('reads %s digits in codes, numbers and searches', (system) => {
  const typed = written(system, 1234567890)
  expect(latinDigits(typed)).toBe('1234567890')
  expect(digitsOf(`\u200f${typed} `)).toBe('1234567890')
  expect(foldedText(typed)).toBe('1234567890')
  expect(Code.parse(` ${written(system, 90817263)} `)).toBe('90817263')
  expect(verifySecondFactor.body.parse({ code: written(system, 654321) })).toEqual({ code: '654321' })
})

it('converts every decimal digit of Unicode, and no other character', () => {
  const found = new Map<number, number>()
  for (let code = 0; code < 0x11_0000; code++) {
    const sign = String.fromCodePoint(code)
    if (/^\p{Nd}$/u.test(sign)) found.set(code, Number(latinDigits(sign)))
    else if (latinDigits(sign) !== sign) throw new Error(`${code.toString(16)} is not a decimal digit`)
  }
  expect(found.size).toBeGreaterThan(600)
  for (let value = 0; value < 10; value++)
    expect([...found.values()].filter((one) => one === value)).toHaveLength(found.size / 10)
  expect(latinDigits('Ⅷ ½ 五 ²')).toBe('Ⅷ ½ 五 ²')
})
