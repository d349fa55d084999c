import type { AppLanguage } from '@duet/contract/accounts.ts'
import { appLanguages } from '@duet/contract/limits.ts'
import { by } from '@duet/contract/order.ts'

const isOurs = (language: string): language is AppLanguage => appLanguages.some((ours) => ours === language)

// `es-MX;q=0.8` is Spanish with weight 0.8. The default weight is 1.
function wish(part: string) {
  const [tag = '', ...rest] = part.split(';').map((text) => text.trim().toLowerCase())
  const q = Number(rest.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
  return { language: tag.split('-')[0] ?? '', q: q >= 0 && q <= 1 ? q : 0 }
}

export function languageIn(acceptLanguage: string | undefined): AppLanguage | undefined {
  const wishes = (acceptLanguage ?? '').slice(0, 500).split(',').map(wish)
  const ours = wishes.filter(({ language, q }) => q > 0 && isOurs(language)).sort(by(({ q }) => -q))
  return ours[0]?.language as AppLanguage | undefined
}

export const languageOf = (kept: string | undefined): AppLanguage => (kept && isOurs(kept) ? kept : 'en')

/** For use in a sentence: `November 21, 2026`. */
export const dayIn = (language: AppLanguage, date: Date): string =>
  date.toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' })
