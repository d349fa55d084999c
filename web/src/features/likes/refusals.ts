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

/** `why` is an error or one of `known`. `back` means that the card has returned to the deck. */
export async function tellRefusal(why: unknown, name = '', back = false): Promise<void> {
  const word = typeof why === 'string' ? why : problemCode(why)
  // The server may have received the decision even though no response arrived.
  const code = word === 'offline' ? 'lost' : word
  await i18next.loadNamespaces('discovery')
  const words = i18next.t(`discovery:refused.${known.has(code) ? code : 'other'}`, { name })
  toast.error(back ? `${words} ${i18next.t('discovery:refused.back', { name })}` : words)
}
