interface Box {
  dir?: string | undefined
  type?: string | undefined
  inputMode?: string | undefined
  value?: unknown
}

/** Text follows its own direction, whatever the language of the page. An empty field follows the page. */
export function wordsDir({ dir, type = 'text', inputMode, value }: Box): string | undefined {
  const holdsWords = (type === 'text' || type === 'search') && inputMode !== 'numeric'
  return dir ?? (holdsWords && value ? 'auto' : undefined)
}
