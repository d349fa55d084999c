/**
 * How the viewer's region writes `language`: what the browser prefers of that language ("en-GB"), else the language alone.
 * For dates and times, which differ more between regions than between languages.
 */
export function regional(language: string, preferred: readonly string[] = navigator.languages ?? []): string {
  return preferred.find((tag) => tag.split('-')[0] === language && isTag(tag)) ?? language
}

// Browsers hand on names of the system that are no tags ("en-US@posix"), which would take the screen with them.
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
