import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { useUnmatch } from './matches.api.ts'

interface UnmatchConfirmProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  person: { id: string; name: string }
  /** Called when the match has ended. */
  onEnded: () => void
}

/** Asks before ending a match and says what it does. Mounted when it opens: its texts come with it. */
export function UnmatchConfirm(props: UnmatchConfirmProps) {
  return props.open ? (
    <Suspense fallback={null}>
      <Asking {...props} />
    </Suspense>
  ) : null
}

function Asking({ open, onOpenChange, person, onEnded }: UnmatchConfirmProps) {
  const { t } = useTranslation('matches')
  const unmatch = useUnmatch()
  const { name } = person
  const confirm = async () => {
    try {
      await unmatch.mutateAsync(person.id)
      toast.success(t('unmatched', { name }))
      onEnded()
    } catch {
      toast.error(t('unmatchFailed'))
    }
  }
  return (
    <Confirm
      {...{ open, onOpenChange }}
      title={t('unmatchTitle', { name })}
      description={t('unmatchText')}
      act={t('unmatch')}
      onConfirm={confirm}
    />
  )
}
