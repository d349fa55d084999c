import type { Insights } from '@duet/contract/insights.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Bar } from './bar.tsx'
import { useNumbers } from './numbers.ts'
import { Nothing, Panel } from './panel.tsx'

const fewest = 10
const genders = ['woman', 'man', 'nonbinary', 'unsaid'] as const
type Area = Insights['areas'][number]

export function PlacesCard({ areas, places }: Pick<Insights, 'areas' | 'places'>) {
  const { t } = useTranslation('insights')
  const { whole } = useNumbers()
  const [all, setAll] = useState(false)
  if (areas.length === 0) return <Panel title={t('places.title')}>{<Nothing>{t('places.none')}</Nothing>}</Panel>
  const rest = areas.length - fewest
  return (
    <Panel title={t('places.title')} hint={t('places.hint', { count: places, n: whole(places) })}>
      <Table areas={all ? areas : areas.slice(0, fewest)} />
      {rest > 0 && !all && (
        <Button variant="quiet" size="s" className="mt-4 self-center" onClick={() => setAll(true)}>
          {t('places.more', { n: whole(rest) })}
        </Button>
      )}
    </Panel>
  )
}

function Table({ areas }: { areas: Area[] }) {
  const { t } = useTranslation('insights')
  const most = areas[0]?.people ?? 1
  const heads = [
    t('places.people'),
    ...genders.map((gender) => t(`gender.${gender}`)),
    t('places.active'),
    t('places.likes'),
    t('places.matches'),
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <section tabIndex={0} aria-label={t('places.title')} className="-mx-2 overflow-x-auto px-2">
      <table aria-label={t('places.title')} className="w-full text-s">
        <thead>
          <tr className="text-ink-2">
            <th scope="col" className="sticky start-0 bg-surface py-2 pe-4 text-start font-[540]">
              {t('places.place')}
            </th>
            {heads.map((head) => (
              <th key={head} scope="col" className="py-2 ps-4 text-end font-[540] whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {areas.map((area) => (
            <Row key={area.area} area={area} most={most} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ area, most }: { area: Area; most: number }) {
  const { whole } = useNumbers()
  const cells = [...genders.map((gender) => area.genders[gender]), area.activeWeek, area.likesWeek, area.matchesWeek]
  return (
    <tr className="border-t border-line">
      <th scope="row" className="sticky start-0 min-w-32 bg-surface py-2.5 pe-4 text-start font-[560] sm:min-w-44">
        {area.area}
        <Bar share={area.people / most} size="s" className="mt-1.5" />
      </th>
      <td className="ps-4 text-end font-[620]">{whole(area.people)}</td>
      {cells.map((count, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns have a fixed order
        <td key={place} className="ps-4 text-end">
          {whole(count)}
        </td>
      ))}
    </tr>
  )
}
