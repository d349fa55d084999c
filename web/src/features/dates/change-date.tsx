import type { SharedDate } from '@duet/contract/dates.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { Button } from '../../ui/button.tsx'
import { Conflicts } from '../../ui/form/conflicts.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { useEdits } from '../../ui/form/use-edits.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { DateFields } from './date-fields.tsx'
import { type DateProblem, fieldTime, problemOf } from './date-form.ts'
import { useChangeDate } from './dates.api.ts'

const words: Partial<Record<string, 'cannotMove' | 'contactTooLate' | 'offline'>> = {
  conflict: 'cannotMove',
  validation_failed: 'contactTooLate',
  offline: 'offline',
}
const wordFor = (error: unknown) => words[problemCode(error)] ?? 'internal'

/** People with the link see changes immediately. */
export function ChangeDate({ date, onClose }: { date: SharedDate; onClose: () => void }) {
  const { t, i18n } = useTranslation('dates')
  const saved = { place: date.place, when: fieldTime(new Date(date.at)), note: date.note }
  const { fields, changes, wanted, conflicts, set, keep, take } = useEdits(saved)
  const draft = { ...fields, checkIn: '', contact: '' }
  const [problem, setProblem] = useState<DateProblem>()
  const change = useChangeDate()
  const send = () => {
    const found = problemOf(draft, new Date(), saved.when)
    setProblem(found)
    if (found) return
    const { when, ...texts } = changes
    const leave = () => conflicts.length === 0 && onClose()
    if (Object.keys(changes).length === 0) return leave()
    change.mutate({ id: date.id, ...texts, ...(when && { at: new Date(when).toISOString() }) }, { onSuccess: leave })
  }
  const words = (key: keyof typeof saved) => ({
    key,
    label: t(key),
    saved:
      key === 'when'
        ? new Date(date.at).toLocaleString(i18n.language, { dateStyle: 'long', timeStyle: 'short' })
        : saved[key],
  })
  const act = (
    <Button busy={change.isPending} onClick={send}>
      {t('save')}
    </Button>
  )
  return (
    <Dialog open onOpenChange={onClose} title={t('changeTitle')} foot={act} edited={Object.keys(wanted).length > 0}>
      <DateFields
        draft={draft}
        onChange={({ place, when, note }) => set({ place, when, note })}
        problem={problem}
        withCheckIn={false}
      />
      <Conflicts conflicts={conflicts.map(words)} onKeep={keep} onTake={take} />
      <FormError>{change.isError && t(`problem.${wordFor(change.error)}`)}</FormError>
    </Dialog>
  )
}
