import type { ProfilePart } from '@duet/contract/reports.ts'
import type { Action } from '@duet/contract/sanctions.ts'
import { useState } from 'react'
import { isSame } from '../../../ui/form/is-same.ts'
import type { Decided } from '../cases/cases.api.ts'
import type { DecidedCase } from './decided-case.ts'
import { useStatement } from './statement-draft.ts'

export type DecisionDraft = ReturnType<typeof useDecisionDraft>

/** `tried` is true after an attempt to submit an incomplete decision. */
export function useDecisionDraft(about: DecidedCase, action: Action) {
  const [before] = useState({
    ground: about.ground,
    note: '',
    days: action === 'restrict' ? 3 : 7,
    falseReport: false,
    allOfSubject: about.sameSubject > 0,
    parts: ['bio', 'prompts'] as ProfilePart[],
  })
  const [given, setGiven] = useState(before)
  const [language, setLanguage] = useState(about.language)
  const [tried, setTried] = useState(false)
  const { statement, write, prefill } = useStatement(language, given.ground, about)
  const decided: Decided = { ...given, action, statement }
  return {
    decided,
    language,
    setLanguage,
    write,
    prefill,
    tried,
    isEdited: !isSame(given, before),
    setTried: () => setTried(true),
    change: (changes: Partial<typeof given>) => setGiven({ ...given, ...changes }),
  }
}
