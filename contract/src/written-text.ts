/*
 * Keep zod out of this file: the web app imports it at runtime.
 */

/**
 * Control characters, unpaired surrogates, byte order marks, and bidirectional overrides and isolates. Joiners and tags
 * stay because scripts and emoji need them.
 */
const dropped = /[^\P{Cc}\n\t]|\p{Cs}|[\ufeff\u202a-\u202e\u2066-\u2069]/gu
const lineBreak = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** Normalises a multi-line text to its stored form. The server and the web app both measure its length in this form. */
export const asProse = (text: string): string =>
  text.replace(lineBreak, '\n').replace(dropped, '').normalize('NFC').trim()

/** Normalises a one-line text to its stored form: each run of spaces, tabs and line breaks becomes one space. */
export const asLine = (text: string): string => asProse(text).replace(/\s+/g, ' ')

/** The excluded code points count as letters, numbers or symbols in Unicode, but fonts draw nothing for them. */
const visible =
  /(?![\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}\u{13441}\u{13442}])[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]/u

/** Whether a text contains at least one visible letter, digit, punctuation mark, symbol or emoji. */
export const isVisible = (text: string): boolean => visible.test(text)

/** Returns how many characters a text in its stored form is over the limit; 0 if it fits. */
export const excessOf = (text: string, most: number, stored = asProse): number =>
  Math.max(0, stored(text).length - most)
