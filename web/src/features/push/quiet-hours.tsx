import type { NotificationPreferences } from '@duet/contract/notifications.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../ui/form/field.tsx'
import { Switch } from '../../ui/form/switch.tsx'

type Hours = NotificationPreferences['quietHours']

const usual = { from: '22:00', to: '08:00' }

interface QuietHoursProps {
  hours: Hours
  onChange: (hours: Hours) => void
}

/** From when to when nothing is pushed but what can't wait. */
export function QuietHours({ hours, onChange }: QuietHoursProps) {
  const { t } = useTranslation('push')
  // What is switched off and on again is as it was.
  const [last, setLast] = useState(hours ?? usual)
  const put = (end: 'from' | 'to', time: string) => {
    const next = { ...last, [end]: time }
    setLast(next)
    if (next.from && next.to && next.from !== next.to) onChange(next)
  }
  return (
    <>
      <Switch
        id="quietHours"
        label={t('quiet.label')}
        hint={t('quiet.hint')}
        checked={hours !== null}
        onChange={(on) => onChange(on ? last : null)}
        className="-my-2"
      />
      {hours && (
        <div className="mt-5 grid grid-cols-2 gap-4">
          {(['from', 'to'] as const).map((end) => (
            <Field
              key={end}
              id={`quiet-${end}`}
              type="time"
              label={t(`quiet.${end}`)}
              value={last[end]}
              onChange={({ target }) => put(end, target.value)}
            />
          ))}
        </div>
      )}
    </>
  )
}
