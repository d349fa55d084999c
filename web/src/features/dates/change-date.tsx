import type { SharedDate } from '@duet/contract/dates.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/error-text.tsx'
import { DateFields } from './date-fields.tsx'
import { type DateProblem, fieldTime, problemOf } from './date-form.ts'
import { useChangeDate } from './dates.api.ts'

/** Changes where and when; whoever has the link sees it at once. */
export function ChangeDate({ date, onClose }: { date: SharedDate; onClose: () => void }) {
  const { t } = useTranslation('dates')
  const when = fieldTime(new Date(date.at))
  const [draft, setDraft] = useState({ place: date.place, when, note: date.note, checkIn: '', contact: '' })
  const [problem, setProblem] = useState<DateProblem>()
  const change = useChangeDate()
  const send = () => {
    const found = problemOf(draft, new Date())
    setProblem(found)
    if (found) return
    // A date that has not moved is not asked about again.
    const at = draft.when === when ? {} : { at: new Date(draft.when).toISOString() }
    change.mutate({ id: date.id, place: draft.place.trim(), note: draft.note.trim(), ...at }, { onSuccess: onClose })
  }
  const act = (
    <Button busy={change.isPending} onClick={send}>
      {t('save')}
    </Button>
  )
  return (
    <Dialog open onOpenChange={onClose} title={t('changeTitle')} foot={act}>
      <DateFields draft={draft} onChange={setDraft} problem={problem} withCheckIn={false} />
      <FormError>{change.isError && t('problem.internal')}</FormError>
    </Dialog>
  )
}
