/*
 * A plain file without schemas: the web app takes it as it is.
 */

const digitOf = (digit: string) => String(digit.codePointAt(0)! & 0xf)

/**
 * A text as it is compared: without case, accents, vowel signs, width and stretching, with one kind of alef, quotation
 * mark and digit. Not of the same length.
 */
export function foldedText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u0640\p{Cf}]/gu, '')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, digitOf)
    .replace(/[ٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/[‘’ʼ`´]/g, "'")
    .toLowerCase()
}
