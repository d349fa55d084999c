/**
 * How the viewer's region writes `language`: what the browser prefers of that language ("en-GB"), else the language alone.
 * For dates and times, which differ more between regions than between languages.
 */
export function regional(language: string, preferred: readonly string[] = navigator.languages ?? []): string {
  return preferred.find((tag) => tag.split('-')[0] === language) ?? language
}
