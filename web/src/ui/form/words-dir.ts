interface Box {
  dir?: string | undefined
  type?: string | undefined
  inputMode?: string | undefined
  value?: unknown
}

/** The `dir` of a field: that of its text, whatever the language of the page. An empty field follows the page. */
export function wordsDir({ dir, type = 'text', inputMode, value }: Box): string | undefined {
  const holdsWords = (type === 'text' || type === 'search') && inputMode !== 'numeric'
  return dir ?? (holdsWords && value ? 'auto' : undefined)
}
