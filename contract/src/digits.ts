/*
 * Keep zod out of this file: the web app imports it at runtime.
 */

const isDigit = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code))

/**
 * Unicode encodes the decimal digits of each script in order, from 0 to 9, so a digit's distance from the first one is
 * its value. Some scripts' digits directly follow another's, hence the modulo.
 */
function readDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let before = 0
  while (isDigit(code - before - 1)) before++
  return String(before % 10)
}

/** A cache that needs no limit: Unicode has fewer than 1,000 decimal digits. */
const values = new Map<string, string>()

function asLatin(digit: string): string {
  const value = values.get(digit) ?? readDigit(digit)
  values.set(digit, value)
  return value
}

/** Converts the decimal digits of every script to 0–9. */
export const latinDigits = (text: string): string => text.replace(/[^\P{Nd}0-9]/gu, asLatin)

/** Converts a text's digits, of any script, to 0–9 and drops all other characters. */
export const digitsOf = (text: string): string => latinDigits(text).replace(/\D/g, '')
