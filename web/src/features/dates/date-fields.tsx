import { checkInMinutes, limits } from '@duet/contract/limits.ts'
import { useTranslation } from 'react-i18next'
import { emailWords } from '../../ui/form/email-words.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import type { DateDraft, DateProblem } from './date-form.ts'

interface DateFieldsProps {
  draft: DateDraft
  onChange: (draft: DateDraft) => void
  problem?: DateProblem | undefined
  /** False when editing a shared date, because its check-in can't be changed. */
  withCheckIn?: boolean
}

export function DateFields({ draft, onChange, problem, withCheckIn = true }: DateFieldsProps) {
  const { t } = useTranslation('dates')
  const set = (change: Partial<DateDraft>) => onChange({ ...draft, ...change })
  const wrong = (field: 'place' | 'when') => (problem === field ? t(`wrong.${field}`) : undefined)
  return (
    <div className="grid gap-5">
      <Field
        label={t('place')}
        placeholder={t('placeExample')}
        maxLength={limits.datePlaceLength}
        value={draft.place}
        error={wrong('place')}
        onChange={(event) => set({ place: event.target.value })}
      />
      <Field
        type="datetime-local"
        label={t('when')}
        value={draft.when}
        error={wrong('when')}
        onChange={(event) => set({ when: event.target.value })}
      />
      <TextArea
        label={t('note')}
        hint={t('noteHint')}
        rows={2}
        maxLength={limits.dateNoteLength}
        value={draft.note}
        onChange={(event) => set({ note: event.target.value })}
      />
      {withCheckIn && <CheckInFields {...{ draft, set }} wrong={problem === 'contact'} />}
    </div>
  )
}

interface CheckInFieldsProps {
  draft: DateDraft
  set: (change: Partial<DateDraft>) => void
  wrong: boolean
}

function CheckInFields({ draft, set, wrong }: CheckInFieldsProps) {
  const { t } = useTranslation(['dates', 'entry'])
  const later = checkInMinutes.map((minutes) => ({ value: String(minutes), label: t(`checkInAfter.${minutes}`) }))
  return (
    <>
      <Select
        label={t('checkIn')}
        hint={t('checkInHint')}
        value={draft.checkIn}
        options={[...later, { value: '', label: t('checkInAfter.never') }]}
        onChange={(event) => set({ checkIn: event.target.value })}
      />
      {draft.checkIn && (
        <Field
          type="email"
          label={t('contact')}
          hint={t('contactHint')}
          autoComplete="off"
          value={draft.contact}
          error={wrong ? emailWords(draft.contact, t) : undefined}
          onChange={(event) => set({ contact: event.target.value })}
        />
      )}
    </>
  )
}
