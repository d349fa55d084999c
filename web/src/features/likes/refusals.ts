import i18next from 'i18next'
import { problemCode } from '../../platform/problem.ts'
import { toast } from '../../platform/toast.ts'

const known = new Set([
  'lost',
  'daily_limit_reached',
  'not_found',
  'conflict',
  'rate_limited',
  'restricted',
  'gone',
  'nothing_to_undo',
  'not_latest',
])

/**
 * Shows a toast that says why a decision or an undo failed. `why` is the error or one of `known`; `back` means that the
 * card has returned to the deck.
 */
export async function tellRefusal(why: unknown, name = '', back = false): Promise<void> {
  const word = typeof why === 'string' ? why : problemCode(why)
  // The decision may have reached the server all the same.
  const code = word === 'offline' ? 'lost' : word
  await i18next.loadNamespaces('discovery')
  const words = i18next.t(`discovery:refused.${known.has(code) ? code : 'other'}`, { name })
  toast.error(back ? `${words} ${i18next.t('discovery:refused.back', { name })}` : words)
}
