/** Where people know heights in feet. */
const feetRegions = new Set(['US', 'CA', 'GB', 'IE', 'IN', 'PH', 'LR', 'MM'])

/** Whether people with this preferred language tag think of heights in feet; unset regions are the likely ones. */
export function knowsFeet(tag: string): boolean {
  try {
    return feetRegions.has(new Intl.Locale(tag).maximize().region ?? '')
  } catch {
    return false
  }
}

/** 172 cm as `5′ 8″`. */
export function feetOf(cm: number): string {
  const inches = Math.round(cm / 2.54)
  return `${Math.floor(inches / 12)}′ ${inches % 12}″`
}

/** A height in the viewer's language, with feet for those who know them: `172 cm (5′ 8″)`. */
export function heightWords(cm: number, language: string, tag: string = navigator.language): string {
  const metric = new Intl.NumberFormat(language, { style: 'unit', unit: 'centimeter' }).format(cm)
  return knowsFeet(tag) ? `${metric} (${feetOf(cm)})` : metric
}

// Making one takes longer than all that it is asked.
const displayNames = new Map<string, Intl.DisplayNames>()

function namesIn(language: string): Intl.DisplayNames {
  const names = displayNames.get(language) ?? new Intl.DisplayNames(language, { type: 'language' })
  displayNames.set(language, names)
  return names
}

/** The name of a language in the viewer's language, with a capital as names of things in a list have. */
export function languageName(code: string, language: string): string {
  const name = namesIn(language).of(code) ?? code
  return name.replace(/^./u, (first) => first.toLocaleUpperCase(language))
}
