import type { OpenDate } from '@duet/contract/dates.ts'
import { CircleAlert, CircleCheck, Clock3, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { timeIn } from './date-words.ts'

const looks: Record<Exclude<OpenDate['checkIn'], 'none'>, { icon: LucideIcon; className: string }> = {
  waiting: { icon: Clock3, className: 'bg-sunken text-ink' },
  due: { icon: Clock3, className: 'bg-sunken text-ink' },
  missed: { icon: CircleAlert, className: 'bg-accent-soft text-ink' },
  checked_in: { icon: CircleCheck, className: 'bg-sunken text-ink' },
}
const colours = { waiting: 'text-ink-2', due: 'text-warn', missed: 'text-bad', checked_in: 'text-good' }

export function DateState({ date }: { date: OpenDate }) {
  const { t, i18n } = useTranslation('dates')
  const { checkIn, who } = date
  if (checkIn === 'none') return null
  const now = new Date()
  const time = (timestamp: string | null) => (timestamp ? timeIn(i18n.language, timestamp, now) : '')
  const { icon: Icon, className } = looks[checkIn]
  const words = { name: who.name, at: time(date.checkInAt), checkedInAt: time(date.checkedInAt) }
  return (
    <div role="status" className={`flex gap-3.5 rounded-l px-5 py-4 ${className}`}>
      <Icon aria-hidden="true" className={`mt-0.5 size-6 flex-none ${colours[checkIn]}`} />
      <div className="min-w-0">
        <p className="font-[580]">{t(`open.state.${checkIn}`, words)}</p>
        {checkIn !== 'checked_in' && date.checkedInAt && (
          <p className="mt-1 text-s text-ink-2">{t('open.lastSign', words)}</p>
        )}
        {checkIn === 'missed' && <p className="mt-1 text-s text-pretty">{t('open.whatToDo', words)}</p>}
      </div>
    </div>
  )
}
