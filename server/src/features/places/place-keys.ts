import { foldedText } from '@duet/contract/folded-text.ts'

const shortened: Record<string, string> = {
  ...{ st: 'saint', ste: 'sainte', sta: 'santa', sto: 'santo', mt: 'mount', ft: 'fort' },
}
const short = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(${Object.keys(shortened).join('|')})(?=[.\\s-]+[\\p{L}])`, 'gu')

/**
 * Folds a name for comparison. On top of `foldedText` (decision 020), it drops apostrophes, dots, hyphens and spaces,
 * expands "St." to "Saint", and replaces ta marbuta with ha, which many people type instead.
 */
export function placeKey(name: string): string {
  return foldedText(name)
    .replace(short, (word) => shortened[word] ?? word)
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
    .replaceAll('ة', 'ه')
}

const twoLetters: Record<string, string> = { ä: 'ae', ö: 'oe', ø: 'oe', ü: 'ue', å: 'aa' }

/** Spells a name the way people do whose keyboard lacks its letters: "Koeln", "Tromsoe". */
export const withoutUmlauts = (name: string) =>
  name.toLowerCase().replace(/[äöøüå]/g, (letter) => twoLetters[letter] ?? letter)
