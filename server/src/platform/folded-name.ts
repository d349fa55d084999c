import { foldedText } from '@duet/contract/folded-text.ts'

/**
 * Folds a name for comparison. Besides what `foldedText` does (decision 020), it drops invisible characters, so that
 * names that look alike compare as equal.
 */
export function foldedName(name: string): string {
  const visible = name.replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
  // A name of nothing but marks that folding drops, such as "¨", is compared as it is.
  return foldedText(visible).trim() || visible.trim().toLowerCase()
}
