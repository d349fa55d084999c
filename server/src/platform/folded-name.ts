import { foldedText } from '@duet/contract/folded-text.ts'

/**
 * Folds a name for comparison. Besides what `foldedText` does (decision 020), it drops invisible characters, so that
 * names that look alike compare as equal.
 */
export const foldedName = (name: string): string =>
  foldedText(name.replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')).trim()
