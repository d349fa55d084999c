import type { Quote } from '@duet/contract/conversations.ts'
import type { TFunction } from 'i18next'

type Quoted = Pick<Quote, 'kind' | 'message'>

/** Sums up a message in a few words: its text, or the kind of its attachment. `t` needs the `conversations` texts. */
export function briefly(t: TFunction, { kind, message }: Quoted): string {
  if (kind === 'deleted') return t('conversations:deleted')
  return message || (kind === 'photo' ? t('conversations:photo') : kind === 'voice' ? t('conversations:voice') : '')
}
