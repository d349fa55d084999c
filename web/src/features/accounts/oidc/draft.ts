import { keepFor, useKept } from '../entry/kept.ts'
import type { BirthParts } from './birth-date.ts'

export interface SignUpDraft {
  email: string
  code: string
  /** True once the server has accepted the code sent to this address. */
  isProven: boolean
  /** Issued by the server after a provider sign-in; it proves the email address, so no emailed code is needed. */
  providerCode: string
  name: string
  birth: BirthParts
  acceptTerms: boolean
}

const empty: SignUpDraft = {
  email: '',
  code: '',
  isProven: false,
  providerCode: '',
  name: '',
  birth: { day: '', month: '', year: '' },
  acceptTerms: false,
}

export function useDraft() {
  const [draft, keep] = useKept('draft', empty)
  const change = (changes: Partial<SignUpDraft>) => {
    const isOther = 'email' in changes || 'code' in changes
    keep({ ...draft, ...(isOther && { isProven: false, providerCode: '' }), ...changes })
  }
  return { draft, change }
}

export const beginProven = (email: string, providerCode: string) =>
  keepFor('draft', { ...empty, email, providerCode, isProven: true })
