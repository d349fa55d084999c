import type { Quote } from '@duet/contract/conversations.ts'
import type { TFunction } from 'i18next'

type Quoted = Pick<Quote, 'kind' | 'message'>

/** `t` must have loaded the `conversations` texts. */
export function briefly(t: TFunction, { kind, message }: Quoted): string {
  if (kind === 'deleted') return t('conversations:deleted')
  return message || (kind === 'photo' ? t('conversations:photo') : kind === 'voice' ? t('conversations:voice') : '')
}
