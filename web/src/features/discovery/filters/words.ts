/** A language in the words of the viewer's own; its code when the browser does not know it. */
export function languageInSentence(code: string, language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

/** A name of the catalogue inside a sentence. */
export const lowered = (words: string, language: string): string => words.toLocaleLowerCase(language)

/** A list of names, with the comma of the language between them. */
export const listed = (words: readonly string[], language: string): string =>
  new Intl.ListFormat(language, { type: 'unit', style: 'short' }).format(words)
