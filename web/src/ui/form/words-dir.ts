interface Box {
  dir?: string | undefined
  type?: string | undefined
  inputMode?: string | undefined
  value?: unknown
}

/**
 * Returns the text direction of a field. Text determines its own direction, whatever the page's language; an empty
 * field follows the page.
 */
export function wordsDir({ dir, type = 'text', inputMode, value }: Box): string | undefined {
  const holdsWords = (type === 'text' || type === 'search') && inputMode !== 'numeric'
  return dir ?? (holdsWords && value ? 'auto' : undefined)
}
