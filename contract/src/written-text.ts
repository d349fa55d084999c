/*
 * Don't import zod here: the web app loads this file at runtime.
 */

/**
 * Control characters, unpaired surrogates, byte order marks, and bidirectional overrides and isolates. Joiners and tags
 * are kept because scripts and emoji need them.
 */
const dropped = /[^\P{Cc}\n\t]|\p{Cs}|[\ufeff\u202a-\u202e\u2066-\u2069]/gu
const lineBreak = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** Normalises a multi-line text to its stored form. The server and the web app both measure lengths in this form. */
export const asProse = (text: string): string =>
  text.replace(lineBreak, '\n').replace(dropped, '').normalize('NFC').trim()

/** Normalises a one-line text to its stored form: each run of white space becomes one space. */
export const asLine = (text: string): string => asProse(text).replace(/\s+/g, ' ')

/** The excluded code points count as letters, numbers or symbols in Unicode, but fonts draw nothing for them. */
const visible =
  /(?![\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}\u{13441}\u{13442}])[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]/u

export const isVisible = (text: string): boolean => visible.test(text)

/** Returns by how many characters a text, in its stored form, exceeds the limit; 0 if it fits. */
export const excessOf = (text: string, most: number, stored = asProse): number =>
  Math.max(0, stored(text).length - most)
