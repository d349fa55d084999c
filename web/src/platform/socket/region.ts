/** Returns the viewer's variant of `language` ("en-GB"). Dates and times differ more between regions than languages. */
export function regional(language: string, preferred: readonly string[] = navigator.languages ?? []): string {
  return preferred.find((tag) => tag.split('-')[0] === language && isTag(tag)) ?? language
}

// Some browsers report system locales that aren't valid tags ("en-US@posix"), which would crash the screen.
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
