const feetRegions = new Set(['US', 'CA', 'GB', 'IE', 'IN', 'PH', 'LR', 'MM'])

/** Whether people with this language tag commonly use feet. If the tag has no region, uses the likeliest one. */
export function knowsFeet(tag: string): boolean {
  try {
    return feetRegions.has(new Intl.Locale(tag).maximize().region ?? '')
  } catch {
    return false
  }
}

export function feetOf(cm: number): string {
  const inches = Math.round(cm / 2.54)
  return `${Math.floor(inches / 12)}′ ${inches % 12}″`
}

export function heightWords(cm: number, language: string, tag: string = navigator.language): string {
  const metric = new Intl.NumberFormat(language, { style: 'unit', unit: 'centimeter' }).format(cm)
  return knowsFeet(tag) ? `${metric} (${feetOf(cm)})` : metric
}

// Cached, because creating one takes longer than using it.
const displayNames = new Map<string, Intl.DisplayNames>()

function namesIn(language: string): Intl.DisplayNames {
  const names = displayNames.get(language) ?? new Intl.DisplayNames(language, { type: 'language' })
  displayNames.set(language, names)
  return names
}

/** The language's name, capitalised for use outside a sentence. */
export function languageName(code: string, language: string): string {
  const name = namesIn(language).of(code) ?? code
  return name.replace(/^./u, (first) => first.toLocaleUpperCase(language))
}
