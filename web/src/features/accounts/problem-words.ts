import type { TFunction } from 'i18next'
import { ProblemError, problemCode } from '../../platform/problem.ts'

const known = new Set(['offline', 'invalid_credentials', 'email_taken', 'validation_failed', 'unavailable'])

/** What went wrong, in words for the person who tried. `t` speaks the `entry` texts. */
export function problemWords(error: unknown, t: TFunction): string {
  const code = problemCode(error)
  const wait = error instanceof ProblemError ? error.retryAfter : undefined
  if (code === 'rate_limited')
    return wait ? t('entry:problem.rate_limited_wait', { count: wait }) : t('entry:problem.rate_limited')
  return t(`entry:problem.${known.has(code) ? code : 'internal'}`)
}

/** Whether it reads like an address; the mailed code is the real proof. */
export const looksLikeEmail = (email: string) => /^\S+@\S+\.\S+$/.test(email.trim())

/** The digits of a code, as it may have been pasted. */
// biome-ignore lint/plugin/cut-text: only digits are left.
export const codeDigits = (text: string) => text.replace(/\D/g, '').slice(0, 8)
