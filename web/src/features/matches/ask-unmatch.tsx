import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { useUnmatch } from './matches.api.ts'

export interface UnmatchConfirmProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  person: { id: string; name: string }
  onEnded: () => void
}

export default function AskUnmatch({ open, onOpenChange, person, onEnded }: UnmatchConfirmProps) {
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
