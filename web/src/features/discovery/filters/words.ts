/** A language's name as written within a sentence; its code if the browser doesn't know the language. */
export function languageInSentence(code: string, language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

export const lowered = (words: string, language: string): string => words.toLocaleLowerCase(language)

export const listed = (words: readonly string[], language: string): string =>
  new Intl.ListFormat(language, { type: 'unit', style: 'short' }).format(words)
