import type { DayCounts, Insights } from '@duet/contract/insights.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useInsights } from './insights.api.ts'
import { useNumbers } from './numbers.ts'
import { Nothing, Panel } from './panel.tsx'

const week = 7
const sumOf = (days: DayCounts[], what: 'likes' | 'matches') => days.reduce((sum, day) => sum + day[what], 0)

export function Community({ title }: { title: string }) {
  const { t } = useTranslation('insights')
  const { data, isError, isFetching, refetch } = useInsights()
  return (
    <Panel title={title}>
      {!data && isError && <ErrorState text={t('pool.failed')} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton className="h-28" />}
      {data?.accounts === 0 && <Nothing>{t('community.nobody')}</Nothing>}
      {data && data.accounts > 0 && <Numbers insights={data} />}
    </Panel>
  )
}

function Numbers({ insights: { totals, accounts, days } }: { insights: Insights }) {
  const { t } = useTranslation('insights')
  const { whole, percent } = useNumbers()
  const now = days.slice(-week)
  const before = days.slice(-2 * week, -week)
  const active = totals.people > 0 ? percent(totals.activeWeek / totals.people) : t('pool.none')
  return (
    <ul className="-m-3 grid grid-cols-1 @md:grid-cols-2 @3xl:grid-cols-4">
      <Tile view="people" name={t('pool.people')} value={whole(totals.people)}>
        {t('pool.peopleHint', { n: whole(accounts) })}
      </Tile>
      <Tile view="insights" name={t('pool.active')} value={whole(totals.activeWeek)}>
        {t('pool.activeHint', { share: active })}
      </Tile>
      {(['likes', 'matches'] as const).map((what) => (
        <Tile key={what} view="insights" name={t(`pool.${what}`)} value={whole(sumOf(now, what))}>
          {t('community.before', { n: whole(sumOf(before, what)) })}
          <Course counts={days.slice(-2 * week).map((day) => day[what])} />
        </Tile>
      ))}
    </ul>
  )
}

interface TileProps {
  view: 'people' | 'insights'
  name: string
  value: string
  children: ReactNode
}

function Tile({ view, name, value, children }: TileProps) {
  return (
    <li>
      <Link
        to={`/admin?view=${view}`}
        className="flex h-full flex-col rounded-m p-3 transition hover:bg-sunken/60 focus-visible:-outline-offset-2"
      >
        <span className="text-s font-[540] text-ink-2">{name}</span>
        <span className="mt-1 text-2xl leading-tight font-[560] tracking-tight">{value}</span>
        <span className="mt-1 flex flex-1 flex-col text-s text-pretty text-ink-2">{children}</span>
      </Link>
    </li>
  )
}

/** The second of the two weeks is highlighted. Hidden from screen readers, which read the numbers beside it instead. */
function Course({ counts }: { counts: number[] }) {
  const most = Math.max(...counts)
  if (most === 0) return null
  return (
    <span aria-hidden="true" className="mt-auto flex h-11 items-end gap-0.5 pt-3">
      {counts.map((count, day) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the day
          key={day}
          className={classNames(
            'min-h-0.5 max-w-2.5 flex-1 rounded-t-[2px]',
            day < counts.length - week ? 'bg-ink-3/40' : 'bg-accent',
          )}
          style={{ height: `${(100 * count) / most}%` }}
        />
      ))}
    </span>
  )
}
