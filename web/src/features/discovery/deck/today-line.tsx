import type { Today } from '@duet/contract/discovery.ts'
import { useTranslation } from 'react-i18next'
import { regional } from '../../../platform/socket/region.ts'
import { classNames } from '../../../ui/class-names.ts'

interface TodayLineProps {
  id: string
  today: Today
  reached: boolean
}

export function TodayLine({ id, today: { likes, limit, resetsAt }, reached }: TodayLineProps) {
  const { t, i18n } = useTranslation('discovery')
  if (limit === null) return null
  const time = new Intl.DateTimeFormat(regional(i18n.language), { hour: 'numeric', minute: '2-digit' }).format(
    new Date(resetsAt),
  )
  return (
    <p id={id} className={classNames('px-4 text-center text-s text-balance text-ink-2', !reached && 'short:sr-only')}>
      {reached ? (
        <>
          <span className="font-medium text-ink">{t('today.reached', { limit, time })}</span>{' '}
          <span className="max-sm:sr-only">{t('today.passing')}</span>
        </>
      ) : (
        t('today.count', { count: limit - likes })
      )}
    </p>
  )
}
