import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { problemWords } from './problem-words.ts'
import { NotProved, withStepUp } from './step-up.tsx'

export const accessKey = ['access'] as const

/** What each dialog about the ways into the account is given. */
export interface AccessDialog {
  open: boolean
  onClose: () => void
}

/**
 * A change of the ways into the account: asks for a fresh proof where the server wants one, and reads them anew. `failure`
 * is why it was refused, in words; `own` has those of codes that mean something of their own here.
 */
export function useAccessAct<In, Out>(
  act: (given: In) => Promise<Out>,
  { onDone, own = {} }: { onDone: (answer: Out, given: In) => void; own?: Record<string, string> },
) {
  const { t } = useTranslation(['accounts', 'entry'])
  const queryClient = useQueryClient()
  const { mutate, mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: (given: In) => withStepUp(() => act(given)),
    onSuccess: async (answer, given) => {
      onDone(answer, given)
      await queryClient.invalidateQueries({ queryKey: accessKey })
      await queryClient.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
  const isFailed = error !== null && !(error instanceof NotProved)
  const failure = isFailed ? (own[problemCode(error)] ?? problemWords(error, t)) : undefined
  return { run: mutate, runAsync: mutateAsync, busy: isPending, failure, reset }
}
