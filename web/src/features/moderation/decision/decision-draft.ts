import type { Action } from '@duet/contract/sanctions.ts'
import { useState } from 'react'
import type { Decided } from '../cases/cases.api.ts'
import type { DecidedCase } from './decided-case.ts'
import { useStatement } from './statement-draft.ts'

export type DecisionDraft = ReturnType<typeof useDecisionDraft>

/** What is filled in before a decision is made; `tried` says that it was sent too early. */
export function useDecisionDraft(about: DecidedCase, action: Action) {
  const [given, setGiven] = useState({
    ground: about.ground,
    ...{ note: '', days: action === 'restrict' ? 3 : 7, falseReport: false, allOfSubject: about.sameSubject > 0 },
  })
  const [language, setLanguage] = useState(about.language)
  const [tried, setTried] = useState(false)
  const { statement, write, prefill } = useStatement(language, given.ground, about)
  const decided: Decided = { ...given, action, statement }
  return {
    ...{ decided, language, setLanguage, write, prefill, tried },
    setTried: () => setTried(true),
    change: (changes: Partial<typeof given>) => setGiven({ ...given, ...changes }),
  }
}
