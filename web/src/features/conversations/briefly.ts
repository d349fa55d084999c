import type { Quote } from '@duet/contract/conversations.ts'
import type { TFunction } from 'i18next'

type Quoted = Pick<Quote, 'kind' | 'message'>

/** What a message is, in a few words: its text, or what it carries. `t` speaks the `conversations` texts. */
export function briefly(t: TFunction, { kind, message }: Quoted): string {
  if (kind === 'deleted') return t('conversations:deleted')
  return message || (kind === 'photo' ? t('conversations:photo') : kind === 'voice' ? t('conversations:voice') : '')
}
