import type { DayCounts } from '@duet/contract/insights.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { regional } from '../../platform/socket/region.ts'
import { classNames } from '../../ui/class-names.ts'
import { useNumbers } from './numbers.ts'
import { Nothing, Panel } from './panel.tsx'

const series = ['likes', 'passes', 'laters', 'matches'] as const
const colours = { likes: 'bg-accent', passes: 'bg-ink-3', laters: 'bg-ink-3/45', matches: 'bg-ink' } as const
type Counts = Record<(typeof series)[number], number>

const decisionsOf = ({ likes, passes, laters }: Counts) => likes + passes + laters
const sumOf = (days: DayCounts[]): Counts =>
  days.reduce<Counts>(
    (sum, day) => ({
      likes: sum.likes + day.likes,
      passes: sum.passes + day.passes,
      laters: sum.laters + day.laters,
      matches: sum.matches + day.matches,
    }),
    { likes: 0, passes: 0, laters: 0, matches: 0 },
  )

function useDayNames() {
  const { i18n } = useTranslation()
  return (day: string) =>
    new Date(`${day}T00:00:00Z`).toLocaleDateString(regional(i18n.language), {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    })
}

export function DaysCard({ days }: { days: DayCounts[] }) {
  const { t } = useTranslation('insights')
  const [pointed, setPointed] = useState<DayCounts>()
  const dayName = useDayNames()
  const sum = sumOf(days)
  return (
    <Panel
      title={t('days.title')}
      end={<span className="text-s text-ink-2">{pointed ? dayName(pointed.day) : t('days.all')}</span>}
    >
      {decisionsOf(sum) + sum.matches === 0 ? (
        <Nothing>{t('days.none')}</Nothing>
      ) : (
        <>
          <Legend counts={pointed ?? sum} />
          <Bars days={days} pointed={pointed} onPoint={setPointed} />
          <AsTable days={days} />
        </>
      )}
    </Panel>
  )
}

function Legend({ counts }: { counts: Counts }) {
  const { t } = useTranslation('insights')
  const { whole } = useNumbers()
  return (
    <dl className="mb-5 grid grid-cols-2 gap-x-6 gap-y-3 sm:flex">
      {series.map((name) => (
        <div key={name} className="sm:min-w-24">
          <dt className="flex items-baseline gap-2 text-s text-ink-2">
            <span aria-hidden="true" className={classNames('size-2.5 flex-none rounded-full', colours[name])} />
            {t(`days.${name}`)}
          </dt>
          <dd className="ps-4.5 font-[620]">{whole(counts[name])}</dd>
        </div>
      ))}
    </dl>
  )
}

interface BarsProps {
  days: DayCounts[]
  pointed: DayCounts | undefined
  onPoint: (day: DayCounts | undefined) => void
}

function Bars({ days, pointed, onPoint }: BarsProps) {
  const dayName = useDayNames()
  const { whole } = useNumbers()
  const most = Math.max(1, ...days.map(decisionsOf))
  const mostMatches = Math.max(1, ...days.map(({ matches }) => matches))
  const first = days[0]
  const middle = days[Math.floor(days.length / 2)]
  const last = days.at(-1)
  return (
    <div aria-hidden="true">
      <div className="flex items-center gap-2 text-xs text-ink-2">
        {whole(most)}
        <span className="h-px flex-1 bg-line" />
      </div>
      <div className="flex" onPointerLeave={() => onPoint(undefined)}>
        {days.map((day) => (
          <div
            key={day.day}
            onPointerEnter={() => onPoint(day)}
            className={classNames('min-w-0 flex-1 rounded-s px-px sm:px-[3px]', day === pointed && 'bg-sunken')}
          >
            <div className="flex h-36 flex-col justify-end gap-px">
              {(['laters', 'passes', 'likes'] as const).map((name) => (
                <div
                  key={name}
                  className={classNames('first:rounded-t-[3px]', colours[name])}
                  style={{ height: `${(100 * day[name]) / most}%`, minHeight: day[name] > 0 ? 2 : 0 }}
                />
              ))}
            </div>
            <div className="mt-2 flex h-9 flex-col justify-end border-b border-line">
              <div
                className={classNames('rounded-t-[3px]', colours.matches)}
                style={{ height: `${(100 * day.matches) / mostMatches}%`, minHeight: day.matches > 0 ? 2 : 0 }}
              />
            </div>
          </div>
        ))}
      </div>
      <div className="mt-1.5 flex justify-between text-xs text-ink-2">
        {[first, middle, last].map((day) => day && <span key={day.day}>{dayName(day.day)}</span>)}
      </div>
    </div>
  )
}

function AsTable({ days }: { days: DayCounts[] }) {
  const { t } = useTranslation('insights')
  const { whole } = useNumbers()
  const dayName = useDayNames()
  return (
    <div className="sr-only">
      <table>
        <caption>{t('days.caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('days.day')}</th>
            {series.map((name) => (
              <th key={name} scope="col">
                {t(`days.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{dayName(day.day)}</th>
              {series.map((name) => (
                <td key={name}>{whole(day[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
