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
 * Says in a toast why a decision or its undoing did not happen. `why` is the error, or a word of our own; `back` says
 * that the card is in the deck again.
 */
export async function tellRefusal(why: unknown, name = '', back = false): Promise<void> {
  const word = typeof why === 'string' ? why : problemCode(why)
  // It may have reached the server all the same.
  const code = word === 'offline' ? 'lost' : word
  await i18next.loadNamespaces('discovery')
  const words = i18next.t(`discovery:refused.${known.has(code) ? code : 'other'}`, { name })
  toast.error(back ? `${words} ${i18next.t('discovery:refused.back', { name })}` : words)
}
