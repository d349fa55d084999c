import { limits } from '@duet/contract/limits.ts'
import { asProse, excessOf } from '@duet/contract/written-text.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { SideSheet } from '../../ui/overlay/side-sheet.tsx'
import { useOpening } from '../../ui/overlay/use-opening.ts'
import { type AppealForReview, useAnswer } from './cases/cases.api.ts'

const known = new Set(['conflict', 'forbidden', 'not_found', 'rate_limited', 'offline'])

interface AnswerSheetProps {
  appeal: AppealForReview
  outcome: 'upheld' | 'reversed'
  onClose: () => void
}

export function AnswerSheet({ appeal: { id, person }, outcome, onClose }: AnswerSheetProps) {
  const { t } = useTranslation('moderation')
  const answering = useAnswer()
  const [answer, setAnswer] = useState('')
  const [problem, setProblem] = useState('')
  const begin = useOpening()
  const send = async () => {
    if (asProse(answer).length < limits.statementMin)
      return setProblem(t('decide.tooShort', { count: limits.statementMin }))
    setProblem('')
    if (excessOf(answer, limits.statementLength) > 0) return
    const isStillOpen = begin()
    try {
      await answering.mutateAsync({ id, outcome, answer })
      toast.success(t(`appeal.done.${outcome}`, { name: person.name }))
      if (isStillOpen()) onClose()
    } catch (error) {
      const code = problemCode(error)
      setProblem(t(`refused.${known.has(code) ? code : 'other'}`))
    }
  }
  const foot = (
    <>
      <Button variant="quiet" onClick={onClose}>
        {t('decide.cancel')}
      </Button>
      <Button busy={answering.isPending} onClick={() => void send()}>
        {t(`appeal.act.${outcome}`)}
      </Button>
    </>
  )
  return (
    <SideSheet onClose={onClose} title={t(`appeal.title.${outcome}`, { name: person.name })} foot={foot}>
      <p className="mb-5 text-s text-ink-2 text-pretty">{t(`appeal.means.${outcome}`, { name: person.name })}</p>
      <TextArea
        label={t('appeal.answer')}
        hint={t('appeal.answerHint')}
        error={problem || undefined}
        rows={6}
        value={answer}
        maxLength={limits.statementLength}
        onChange={(event) => setAnswer(event.target.value)}
      />
    </SideSheet>
  )
}
