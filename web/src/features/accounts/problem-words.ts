import { digitsOf } from '@duet/contract/digits.ts'
import type { TFunction } from 'i18next'
import { ProblemError, problemCode } from '../../platform/problem.ts'

const known = new Set(['offline', 'invalid_credentials', 'email_taken', 'validation_failed', 'unavailable'])

export function problemWords(error: unknown, t: TFunction): string {
  const code = problemCode(error)
  const wait = error instanceof ProblemError ? error.retryAfter : undefined
  if (code === 'rate_limited')
    return wait ? t('entry:problem.rate_limited_wait', { count: wait }) : t('entry:problem.rate_limited')
  return t(`entry:problem.${known.has(code) ? code : 'internal'}`)
}

export const codeDigits = (text: string) => digitsOf(text).slice(0, 8)
