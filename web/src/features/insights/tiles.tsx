import type { Insights } from '@duet/contract/insights.ts'
import { useTranslation } from 'react-i18next'
import { useNumbers } from './numbers.ts'

export function Tiles({ insights }: { insights: Insights }) {
  const { t } = useTranslation('insights')
  const { whole, decimal, percent } = useNumbers()
  const { totals, week, accounts } = insights
  const none = t('pool.none')
  const tiles = [
    { name: 'people', value: whole(totals.people), hint: { n: whole(accounts) } },
    {
      name: 'active',
      value: whole(totals.activeWeek),
      hint: { share: totals.people > 0 ? percent(totals.activeWeek / totals.people) : none },
    },
    { name: 'likes', value: whole(totals.likesWeek), hint: {} },
    { name: 'matches', value: whole(totals.matchesWeek), hint: {} },
    {
      name: 'yield',
      value: week.matchesPer100 === null ? none : decimal(week.matchesPer100),
      hint: { n: whole(week.cards) },
    },
    { name: 'never', value: week.neverShown === null ? none : percent(week.neverShown), hint: {} },
  ] as const
  return (
    <section aria-label={t('pool.now')} className="overflow-hidden rounded-l bg-surface shadow-one">
      <dl className="-m-px grid grid-cols-2 sm:grid-cols-3">
        {tiles.map(({ name, value, hint }) => (
          <div key={name} className="flex flex-col border-t border-s border-line px-5 py-4.5">
            <dt className="text-s font-[540] text-ink-2">{t(`pool.${name}`)}</dt>
            <dd className="mt-1 text-2xl leading-tight font-[560] tracking-tight">{value}</dd>
            <dd className="mt-1 text-s text-pretty text-ink-2">{t(`pool.${name}Hint`, hint)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
