const names = new Intl.DisplayNames('en', { type: 'language' })

export const languageName = (code: string): string => names.of(code) ?? code

/** `night_trains` becomes "night trains". */
export const catalogueName = (id: string): string => id.replaceAll('_', ' ')
