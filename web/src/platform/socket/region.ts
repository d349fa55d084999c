/**
 * Returns the viewer's regional variant of `language`, such as "en-GB", because date and time formats depend on the
 * region.
 */
export function regional(language: string, preferred: readonly string[] = navigator.languages ?? []): string {
  return preferred.find((tag) => tag.split('-')[0] === language && isTag(tag)) ?? language
}

// Some browsers report system locales that aren't valid tags ("en-US@posix"). Using one in Intl would throw and crash
// the screen.
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
