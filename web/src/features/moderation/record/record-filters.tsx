import { useTranslation } from 'react-i18next'
import { Field } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import type { AuditFilter, Choices } from '../moderation.api.ts'

const everything = ''

interface RecordFiltersProps {
  choices: Choices
  wanted: AuditFilter
  onChange: (wanted: AuditFilter) => void
}

export function RecordFilters({ choices, wanted, onChange }: RecordFiltersProps) {
  const { t } = useTranslation('moderation')
  const actionName = useActionName()
  const { actors = [], actions = [] } = choices ?? {}
  const change = (part: keyof AuditFilter) => (event: { target: { value: string } }) =>
    onChange({ ...wanted, [part]: event.target.value || undefined })
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-4 sm:gap-x-4">
      <Select
        label={t('record.actor')}
        value={wanted.actor ?? everything}
        options={[
          { value: everything, label: t('record.everybody') },
          { value: 'duet', label: t('record.duet') },
          ...actors.map(({ id, name }) => ({ value: id, label: name || t('case.gone') })),
        ]}
        onChange={change('actor')}
      />
      <Select
        label={t('record.action')}
        value={wanted.action ?? everything}
        options={[
          { value: everything, label: t('record.everything') },
          ...actions.map((value) => ({ value, label: actionName(value) })),
        ]}
        onChange={change('action')}
      />
      {(['from', 'to'] as const).map((end) => (
        <Field
          key={end}
          type="date"
          label={t(`record.${end}`)}
          value={wanted[end] ?? ''}
          min={end === 'to' ? wanted.from : undefined}
          max={end === 'from' ? wanted.to : undefined}
          onChange={change(end)}
        />
      ))}
    </div>
  )
}

/** An unknown action is shown as the server sends it. */
export function useActionName(): (action: string) => string {
  const { t, i18n } = useTranslation('moderation')
  return (action) =>
    i18n.exists(`moderation:record.actions.${action}`) ? t(`record.actions.${action}`) : action.replaceAll('_', ' ')
}
