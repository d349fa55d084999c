import type { SharedDate } from '@duet/contract/dates.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { DateFields } from './date-fields.tsx'
import { type DateProblem, fieldTime, problemOf } from './date-form.ts'
import { useChangeDate } from './dates.api.ts'

const words: Partial<Record<string, 'checkInOver' | 'contactTooLate' | 'offline'>> = {
  conflict: 'checkInOver',
  validation_failed: 'contactTooLate',
  offline: 'offline',
}
const wordFor = (error: unknown) => words[problemCode(error)] ?? 'internal'

/** Changes where and when; people with the link see it immediately. */
export function ChangeDate({ date, onClose }: { date: SharedDate; onClose: () => void }) {
  const { t } = useTranslation('dates')
  const when = fieldTime(new Date(date.at))
  const [draft, setDraft] = useState({ place: date.place, when, note: date.note, checkIn: '', contact: '' })
  const [problem, setProblem] = useState<DateProblem>()
  const change = useChangeDate()
  const send = () => {
    const found = problemOf(draft, new Date(), when)
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
      <FormError>{change.isError && t(`problem.${wordFor(change.error)}`)}</FormError>
    </Dialog>
  )
}
