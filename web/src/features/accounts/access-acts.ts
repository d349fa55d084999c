import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { useOpening } from '../../ui/overlay/use-opening.ts'
import { problemWords } from './problem-words.ts'
import { NotProved, withStepUp } from './step-up.tsx'

export const accessKey = ['access'] as const

/** Props of the dialogs in the sign-in settings. Each dialog is remounted whenever it opens. */
export interface AccessDialog {
  onClose: () => void
}

interface Answered<In, Out> {
  /** Called with the response even if the dialog was closed before the response arrived. */
  onDone?: (answer: Out, given: In) => void
  /** Called with the response only if the dialog is still open. */
  onShown?: (answer: Out) => void
  own?: Record<string, string>
}

/**
 * Asks for step-up authentication if the server requires it, then refetches the sign-in methods. `failure` is the error
 * message to show.
 */
export function useAccountMutation<In, Out>(
  act: (given: In) => Promise<Out>,
  { onDone, onShown, own = {} }: Answered<In, Out>,
) {
  const { t } = useTranslation(['accounts', 'entry'])
  const queryClient = useQueryClient()
  const begin = useOpening()
  const { mutate, mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: (given: In) => withStepUp(() => act(given)),
    onMutate: begin,
    onSuccess: async (answer, given, isStillOpen) => {
      onDone?.(answer, given)
      if (isStillOpen()) onShown?.(answer)
      await queryClient.invalidateQueries({ queryKey: accessKey })
      await queryClient.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
  const isFailed = error !== null && !(error instanceof NotProved)
  const failure = isFailed ? (own[problemCode(error)] ?? problemWords(error, t)) : undefined
  return { run: mutate, runAsync: mutateAsync, busy: isPending, failure, reset }
}
