/*
 * Don't import zod here: the web app loads this file at runtime.
 */

const isDigit = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code))

/**
 * Each script's decimal digits are encoded in order from 0 to 9, so a digit's value is its distance from the script's
 * zero. The modulo is needed because some scripts' digits directly follow another's.
 */
function readDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let before = 0
  while (isDigit(code - before - 1)) before++
  return String(before % 10)
}

/** Needs no size limit: Unicode has fewer than 1,000 decimal digits. */
const values = new Map<string, string>()

function asLatin(digit: string): string {
  const value = values.get(digit) ?? readDigit(digit)
  values.set(digit, value)
  return value
}

export const latinDigits = (text: string): string => text.replace(/[^\P{Nd}0-9]/gu, asLatin)

export const digitsOf = (text: string): string => latinDigits(text).replace(/\D/g, '')
