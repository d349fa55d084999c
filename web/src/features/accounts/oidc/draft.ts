import { keepFor, useKept } from '../entry/kept.ts'
import type { BirthParts } from './birth-date.ts'

/** What someone typed on the way to an account. */
export interface SignUpDraft {
  email: string
  code: string
  /** The server has found the code right for the address. */
  isProven: boolean
  /** What proves the address in the place of a code: handed out after a sign-in with the provider. */
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

/** The draft and how to change it. Another address or code is not proven yet. */
export function useDraft() {
  const [draft, keep] = useKept('draft', empty)
  const change = (changes: Partial<SignUpDraft>) => {
    const isOther = 'email' in changes || 'code' in changes
    keep({ ...draft, ...(isOther && { isProven: false, providerCode: '' }), ...changes })
  }
  return { draft, change }
}

/** Begins with an address that the provider has verified. */
export const beginProven = (email: string, providerCode: string) =>
  keepFor('draft', { ...empty, email, providerCode, isProven: true })
