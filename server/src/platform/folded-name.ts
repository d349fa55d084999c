import { foldedText } from '@duet/contract/folded-text.ts'

/**
 * Folds a name for comparison. On top of `foldedText` (decision 020), it drops every invisible character: names that look
 * alike must be found and recognised alike.
 */
export const foldedName = (name: string): string =>
  foldedText(name.replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')).trim()
