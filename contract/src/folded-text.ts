import { latinDigits } from './digits.ts'

/* Keep zod out of this file: the web app imports it at runtime. */

const ascii = /^[^\u0080-\uffff]*$/

/**
 * Accents, vowel marks, variation selectors and invisible signs. Indic and Thai marks stay, because they distinguish
 * words.
 */
const unseen =
  /\p{Cf}|\u0640|[\u180b-\u180d\u180f]|(?=[\p{Mn}\p{Me}])(?![\u3099\u309a])[\p{sc=Zinh}\p{sc=Arab}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Hebr}\p{sc=Latn}\p{sc=Syrc}]/gu

/** Letters without a Unicode decomposition, and common replacements for letters that a keyboard lacks. */
const replacements: Record<string, string> = {
  ...{ ß: 'ss', ς: 'σ', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', đ: 'd', ɖ: 'd', ɗ: 'd', ħ: 'h', ł: 'l', ŧ: 't' },
  ...{ ø: 'o', ɔ: 'o', ə: 'e', ǝ: 'e', ɛ: 'e', ŋ: 'n', ɓ: 'b', ƙ: 'k', ĸ: 'k', ƴ: 'y' },
  ...{ ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك' },
  ...{ '‘': "'", '’': "'", ʼ: "'", ʻ: "'", '′': "'", '`': "'" },
}
const replaced = new RegExp(`[${Object.keys(replacements).join('')}]`, 'g')
/** More marks on one letter than any script uses. Sorting marks takes quadratic time. */
const pile = /(\p{M}{16})\p{M}+/gu
/** Some single characters expand to 18 letters. Of a text made only of these, just the beginning is compared. */
const longest = (text: string) => 3 * text.length + 200

/**
 * Folds a text for comparison: removes case, accents, vowel marks, width and stretching, and unifies alefs, quotation
 * marks and digits. Search, places and hidden words all compare texts this way. The result can differ in length from the
 * text.
 */
export function foldedText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase().replaceAll('`', "'")
  const letters = text
    .replace(/[´\u1ffd]/g, "'")
    .replace(pile, '$1')
    .normalize('NFKD')
  return (
    latinDigits(letters.slice(0, longest(text)))
      // Some letters, such as the lower case of old Cyrillic, have an upper case that doesn't map back.
      .toUpperCase()
      .toLowerCase()
      .replace(unseen, '')
      .replace(replaced, (letter) => replacements[letter]!)
      // Composes each Hangul syllable into one letter, so that no syllable matches the beginning of another.
      .normalize('NFC')
  )
}
