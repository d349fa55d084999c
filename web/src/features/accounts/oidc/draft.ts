import { keepFor, useKept } from '../entry/kept.ts'
import type { BirthParts } from './birth-date.ts'

export interface SignUpDraft {
  email: string
  code: string
  /** True once the server has accepted the code for this address. */
  isProven: boolean
  /** Verifies the address instead of a code. The server issues it after a provider sign-in. */
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

/** Changing the address or the code resets the verification. */
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
