const names = new Intl.DisplayNames('en', { type: 'language' })

/** A language of the catalogue in English. */
export const languageName = (code: string): string => names.of(code) ?? code

/** An id of the catalogue as English words: `night_trains` is "night trains". */
export const catalogueName = (id: string): string => id.replaceAll('_', ' ')
