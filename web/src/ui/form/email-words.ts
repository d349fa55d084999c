import { emailFaultOf } from '@duet/contract/email-address.ts'
import type { TFunction } from 'i18next'

const faultWords = { at: 'emailWrong', mailbox: 'emailMailbox', domain: 'emailDomain', long: 'emailLong' } as const

/** Load the `entry` texts before calling this. */
export function emailWords(email: string, t: TFunction): string | undefined {
  const fault = emailFaultOf(email)
  return fault && t(`entry:login.${faultWords[fault]}`)
}
