import { useKept } from '../kept.ts'
import type { BirthParts } from './birth-date.ts'

/** What someone typed on the way to an account. */
export interface SignUpDraft {
  email: string
  code: string
  /** The server has found the code right for the address. */
  isProven: boolean
  name: string
  birth: BirthParts
  acceptTerms: boolean
}

const empty: SignUpDraft = {
  email: '',
  code: '',
  isProven: false,
  name: '',
  birth: { day: '', month: '', year: '' },
  acceptTerms: false,
}

/** The draft and how to change it. Another address or code is not proven yet. */
export function useDraft() {
  const [draft, keep] = useKept('draft', empty)
  const change = (changes: Partial<SignUpDraft>) => {
    const isProven = 'email' in changes || 'code' in changes ? false : draft.isProven
    keep({ ...draft, isProven, ...changes })
  }
  return { draft, change }
}
