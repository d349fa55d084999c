import { limits } from '@duet/contract/limits.ts'
import { asProse, excessOf } from '@duet/contract/written-text.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useOpening } from '../../ui/overlay/use-opening.ts'
import { useAppeal } from './standing.api.ts'

interface AppealDialogProps {
  sanctionId: string
  onClose: () => void
}

const known = new Set(['conflict', 'rate_limited', 'offline'])

export function AppealDialog({ sanctionId, onClose }: AppealDialogProps) {
  const { t } = useTranslation('standing')
  const appeal = useAppeal()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const begin = useOpening()
  const send = async () => {
    if (asProse(text).length < limits.statementMin)
      return setProblem(t('appeal.tooShort', { count: limits.statementMin }))
    setProblem('')
    if (excessOf(text, limits.statementLength) > 0) return
    const isStillOpen = begin()
    try {
      await appeal.mutateAsync({ sanctionId, text })
      toast.success(t('appeal.sent'))
      if (isStillOpen()) onClose()
    } catch (error) {
      const code = problemCode(error)
      setProblem(t(`appeal.problem.${known.has(code) ? code : 'other'}`))
    }
  }
  const foot = (
    <Button busy={appeal.isPending} onClick={() => void send()}>
      {t('appeal.send')}
    </Button>
  )
  return (
    <Dialog open onOpenChange={onClose} title={t('appeal.begin')} description={t('appeal.how')} foot={foot}>
      <TextArea
        label={t('appeal.text')}
        error={problem || undefined}
        rows={6}
        value={text}
        maxLength={limits.statementLength}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  )
}
