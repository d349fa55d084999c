import { useState } from 'react'
import type { BirthParts } from './birth-date.ts'

/** What somebody typed on the way to an account; kept for the tab, so that a reload loses nothing. */
export interface Draft {
  email: string
  code: string
  name: string
  birth: BirthParts
  acceptTerms: boolean
}

const draftKey = 'signup'
const empty: Draft = {
  email: '',
  code: '',
  name: '',
  birth: { day: '', month: '', year: '' },
  acceptTerms: false,
}

function readDraft(): Draft {
  try {
    return { ...empty, ...JSON.parse(sessionStorage.getItem(draftKey) ?? '{}') }
  } catch {
    return empty
  }
}

/** The draft and how to change it. The code is never written down. */
export function useDraft() {
  const [draft, setDraft] = useState(readDraft)
  const change = (changes: Partial<Draft>) => {
    const next = { ...draft, ...changes }
    setDraft(next)
    sessionStorage.setItem(draftKey, JSON.stringify({ ...next, code: '' }))
  }
  return { draft, change, discard: () => sessionStorage.removeItem(draftKey) }
}
