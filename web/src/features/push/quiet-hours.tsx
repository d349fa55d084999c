import type { NotificationPreferences } from '@duet/contract/notifications.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorText } from '../../ui/form/error-text.tsx'
import { Field } from '../../ui/form/field.tsx'
import { isSame } from '../../ui/form/is-same.ts'
import { Switch } from '../../ui/form/switch.tsx'

type Hours = NotificationPreferences['quietHours']

const usual = { from: '22:00', to: '08:00' }

interface QuietHoursProps {
  hours: Hours
  onChange: (hours: Hours) => void
}

export function QuietHours({ hours, onChange }: QuietHoursProps) {
  const { t } = useTranslation('push')
  // Remember the last times, so that turning quiet hours off and on restores them.
  const [last, setLast] = useState(hours ?? usual)
  if (hours && !isSame(hours, last)) setLast(hours)
  const [typed, setTyped] = useState<Partial<typeof usual>>({})
  const shown = { ...last, ...typed }
  const wrong = !shown.from || !shown.to ? 'quiet.missing' : shown.from === shown.to ? 'quiet.equal' : undefined
  const put = (end: 'from' | 'to', time: string) => {
    const next = { ...shown, [end]: time }
    const isRight = next.from && next.to && next.from !== next.to
    setTyped(isRight ? {} : { ...typed, [end]: time })
    if (isRight) onChange(next)
  }
  return (
    <>
      <Switch
        id="quietHours"
        label={t('quiet.label')}
        hint={t('quiet.hint')}
        checked={hours !== null}
        onChange={(on) => {
          setTyped({})
          onChange(on ? last : null)
        }}
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
              value={shown[end]}
              onChange={({ target }) => put(end, target.value)}
            />
          ))}
          <div role="status" className="col-span-2 -mt-2 empty:hidden">
            {wrong && <ErrorText>{t(wrong)}</ErrorText>}
          </div>
        </div>
      )}
    </>
  )
}
