import type { MyDetails, ProfileChanges } from '@duet/contract/profiles.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemWords } from '../../features/accounts/problem-words.ts'
import { useUpdateUser } from '../../features/profiles/profiles.ts'

export interface ProfileStepProps {
  details: MyDetails
  onNext: () => void
  onBack?: () => void
}

export function useSave({ onNext }: ProfileStepProps) {
  const { t } = useTranslation(['accounts', 'entry'])
  const update = useUpdateUser()
  const [error, setError] = useState<string>()
  const save = (changes: Partial<ProfileChanges>) => {
    setError(undefined)
    if (Object.keys(changes).length === 0) return onNext()
    update.mutate(changes, { onSuccess: onNext, onError: (problem) => setError(problemWords(problem, t)) })
  }
  return { busy: update.isPending, error, setError, save }
}
