import { latinDigits } from './digits.ts'

/* Don't import zod here: the web app loads this file at runtime. */

const ascii = /^[^\u0080-\uffff]*$/

/**
 * Accents, vowel marks, variation selectors and invisible characters. Indic and Thai marks are kept because they
 * distinguish words.
 */
const unseen =
  /\p{Cf}|\u0640|[\u180b-\u180d\u180f]|(?=[\p{Mn}\p{Me}])(?![\u3099\u309a])[\p{sc=Zinh}\p{sc=Arab}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Hebr}\p{sc=Latn}\p{sc=Syrc}]/gu

/** Letters that Unicode doesn't decompose, and substitutes that people type when their keyboard lacks a letter. */
const replacements: Record<string, string> = {
  ...{ ß: 'ss', ς: 'σ', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', đ: 'd', ɖ: 'd', ɗ: 'd', ħ: 'h', ł: 'l', ŧ: 't' },
  ...{ ø: 'o', ɔ: 'o', ə: 'e', ǝ: 'e', ɛ: 'e', ŋ: 'n', ɓ: 'b', ƙ: 'k', ĸ: 'k', ƴ: 'y' },
  ...{ ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك' },
  ...{ '‘': "'", '’': "'", ʼ: "'", ʻ: "'", '′': "'", '`': "'" },
}
const replaced = new RegExp(`[${Object.keys(replacements).join('')}]`, 'g')
/**
 * More marks on one letter than any script uses. They are capped because normalisation sorts marks in quadratic time.
 */
const pile = /(\p{M}{16})\p{M}+/gu
/** Some single characters expand to 18 letters. Only the beginning of a text made entirely of these is compared. */
const longest = (text: string) => 3 * text.length + 200

/**
 * Folds a text for comparison: removes case, accents, vowel marks, width variants and Arabic stretching, and unifies
 * alefs, quotation marks and digits. Search, place names and hidden words are all compared in this form. The result may
 * be shorter or longer than the text.
 */
export function foldedText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase().replaceAll('`', "'")
  const letters = text
    .replace(/[´\u1ffd]/g, "'")
    .replace(pile, '$1')
    .normalize('NFKD')
  return (
    latinDigits(letters.slice(0, longest(text)))
      // Some lower-case letters, such as those of old Cyrillic, have a capital that doesn't map back to them.
      .toUpperCase()
      .toLowerCase()
      .replace(unseen, '')
      .replace(replaced, (letter) => replacements[letter]!)
      // Composes each Hangul syllable into one character, so that a syllable never matches the beginning of another.
      .normalize('NFC')
  )
}
