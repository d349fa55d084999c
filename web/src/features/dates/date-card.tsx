import type { SharedDate } from '@duet/contract/dates.ts'
import { CalendarClock, HeartHandshake, MapPin } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Face } from '../../ui/photo/face.tsx'
import { ChangeDate } from './change-date.tsx'
import { momentHere, timeIn } from './date-words.ts'
import { useChangeDate, useCheckIn } from './dates.api.ts'
import { ShareLink } from './share-link.tsx'

export function DateCard({ date, mayChange = true }: { date: SharedDate; mayChange?: boolean }) {
  const { t, i18n } = useTranslation('dates')
  const title = date.withName ? t('with', { name: date.withName }) : t('withSomebody')
  return (
    <Card aria-label={title}>
      <div className="flex items-center gap-3.5">
        {date.withName && <Face name={date.withName} photo={date.with?.photo ?? null} size={52} />}
        <h2 className="display min-w-0 text-l wrap-anywhere">{title}</h2>
      </div>
      <ul className="mt-4 grid gap-2">
        <li className="flex gap-2.5">
          <CalendarClock aria-hidden="true" className="mt-0.5 size-5 flex-none text-ink-2" />
          {momentHere(i18n.language, date.at)}
        </li>
        <li className="flex gap-2.5">
          <MapPin aria-hidden="true" className="mt-0.5 size-5 flex-none text-ink-2" />
          <bdi className="min-w-0 wrap-anywhere">{date.place}</bdi>
        </li>
      </ul>
      {date.note && (
        <p className="mt-3 whitespace-pre-line text-ink-2 wrap-anywhere">
          <bdi>{date.note}</bdi>
        </p>
      )}
      <CheckInPart date={date} />
      <div className="mt-5 border-t border-line pt-5">
        <ShareLink quiet url={date.url}>
          <Acts {...{ date, title, mayChange }} />
        </ShareLink>
      </div>
    </Card>
  )
}

function CheckInPart({ date }: { date: SharedDate }) {
  const { t, i18n } = useTranslation('dates')
  const checkIn = useCheckIn()
  const now = new Date()
  const time = (timestamp: string | null) => (timestamp ? timeIn(i18n.language, timestamp, now) : '')
  const urgent = date.checkIn === 'due' || date.checkIn === 'missed'
  const times = { at: time(date.checkInAt), checkedInAt: time(date.checkedInAt), toldAt: time(date.contactToldAt) }
  return (
    <div className={urgent ? 'mt-5 rounded-m bg-accent-soft p-4' : 'mt-5'}>
      <p role="status" className={urgent ? 'font-[580]' : 'text-s text-ink-2'}>
        {t(`state.${date.checkIn}`, times)}
      </p>
      {date.contactEmail && date.checkIn === 'waiting' && (
        <p className="mt-1 text-s text-ink-2 wrap-anywhere">{t('contactIs', { email: date.contactEmail })}</p>
      )}
      {date.contactToldAt && <p className="mt-1 text-s text-ink-2">{t('contactTold', times)}</p>}
      {date.contactUntold && (
        <p className="mt-1 text-s text-pretty">{t(date.checkIn === 'missed' ? 'contactUntold' : 'contactDeclines')}</p>
      )}
      {date.checkIn !== 'waiting' && date.checkIn !== 'due' && date.checkIn !== 'missed' ? null : (
        <Button
          className="mt-3"
          size={urgent ? 'l' : 'm'}
          wide={urgent}
          variant={urgent ? 'primary' : 'quiet'}
          busy={checkIn.isPending}
          icon={<HeartHandshake aria-hidden="true" />}
          onClick={() => checkIn.mutate(date.id, { onError: () => toast.error(t('problem.internal')) })}
        >
          {t('iAmWell')}
        </Button>
      )}
    </div>
  )
}

function Acts({ date, title, mayChange }: { date: SharedDate; title: string; mayChange: boolean }) {
  const { t } = useTranslation('dates')
  const [asking, setAsking] = useState<'change' | 'end'>()
  const change = useChangeDate()
  const end = async () => {
    try {
      await change.mutateAsync({ id: date.id, ended: true })
      toast.success(t('ended'))
    } catch {
      toast.error(t('problem.internal'))
    }
  }
  const close = () => setAsking(undefined)
  return (
    <div className="flex max-sm:-ms-5 max-sm:basis-full">
      {mayChange && (
        <Button variant="text" onClick={() => setAsking('change')}>
          {t('change')}
        </Button>
      )}
      <Button variant="text" onClick={() => setAsking('end')}>
        {t('end')}
      </Button>
      {asking === 'change' && <ChangeDate date={date} onClose={close} />}
      <Confirm
        open={asking === 'end'}
        onOpenChange={close}
        title={t('endTitle', { title })}
        description={t('endText')}
        act={t('end')}
        onConfirm={end}
      />
    </div>
  )
}
