import type { ModerationFigures } from '@duet/contract/moderation.ts'
import { useTranslation } from 'react-i18next'
import { regional } from '../../../platform/socket/region.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Nothing, Panel } from '../../insights/insights.tsx'
import { useNumbersOf } from '../numbers-of.ts'

type Week = ModerationFigures['weeks'][number]
const outcomes = ['dismissed', 'warned', 'removed', 'restricted', 'suspended', 'banned'] as const
// Darker colours mean more severe actions.
const colours = {
  dismissed: 'bg-line',
  warned: 'bg-ink-3/45',
  removed: 'bg-ink-3',
  restricted: 'bg-ink-2',
  suspended: 'bg-accent',
  banned: 'bg-ink',
} as const

const shownIn = (week: Week) => outcomes.toReversed().filter((outcome) => week[outcome] > 0)
const sumOf = (week: Week) => outcomes.reduce((sum, outcome) => sum + week[outcome], 0)

function useWeekNames() {
  const { i18n } = useTranslation()
  return (week: string) =>
    new Date(`${week}T00:00:00Z`).toLocaleDateString(regional(i18n.language), {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    })
}

export function WeeksPanel({ weeks }: { weeks: Week[] }) {
  const { t } = useTranslation('moderation')
  const { whole } = useNumbersOf()
  const automated = weeks.reduce((sum, week) => sum + week.automated, 0)
  const all = weeks.reduce((sum, week) => sum + sumOf(week), 0)
  return (
    <Panel title={t('figures.weeks')} hint={t('figures.weeksHint')} className="@3xl:col-span-2">
      {all === 0 ? (
        <Nothing>{t('figures.nothingDecided')}</Nothing>
      ) : (
        <>
          <ul className="mb-5 flex flex-wrap gap-x-5 gap-y-2 text-s">
            {outcomes.map((outcome) => (
              <li key={outcome} className="flex items-center gap-2">
                <span aria-hidden="true" className={classNames('size-2.5 rounded-full', colours[outcome])} />
                {t(`figures.outcome.${outcome}`)}
                <span className="font-[620]">{whole(weeks.reduce((sum, week) => sum + week[outcome], 0))}</span>
              </li>
            ))}
          </ul>
          <Columns weeks={weeks} />
          <p className="mt-4 text-s text-ink-2">{t('figures.automated', { count: automated, n: whole(automated) })}</p>
          <AsTable weeks={weeks} />
        </>
      )}
    </Panel>
  )
}

function Columns({ weeks }: { weeks: Week[] }) {
  const weekName = useWeekNames()
  const most = Math.max(1, ...weeks.map(sumOf))
  return (
    <div aria-hidden="true">
      <div className="flex h-40 border-b border-line">
        {weeks.map((week) => (
          <div key={week.week} className="flex min-w-0 flex-1 flex-col justify-end gap-px px-1 sm:px-2">
            {shownIn(week).map((outcome) => (
              <div
                key={outcome}
                className={classNames('first:rounded-t-[3px]', colours[outcome])}
                style={{ height: `${(100 * week[outcome]) / most}%`, minHeight: 3 }}
              />
            ))}
          </div>
        ))}
      </div>
      <div className="mt-1.5 flex justify-between text-xs text-ink-2">
        {[weeks[0], weeks.at(-1)].map((week) => week && <span key={week.week}>{weekName(week.week)}</span>)}
      </div>
    </div>
  )
}

function AsTable({ weeks }: { weeks: Week[] }) {
  const { t } = useTranslation('moderation')
  const { whole } = useNumbersOf()
  const weekName = useWeekNames()
  return (
    <div className="sr-only">
      <table>
        <caption>{t('figures.weeks')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('figures.week')}</th>
            {outcomes.map((outcome) => (
              <th key={outcome} scope="col">
                {t(`figures.outcome.${outcome}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.week}>
              <th scope="row">{weekName(week.week)}</th>
              {outcomes.map((outcome) => (
                <td key={outcome}>{whole(week[outcome])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
