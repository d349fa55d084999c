import type { Exposure } from '@duet/contract/insights.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/form/segmented.tsx'
import { Bar } from './bar.tsx'
import { useNumbers } from './numbers.ts'
import { Nothing, Panel } from './panel.tsx'

const windows = ['week', 'month'] as const

export function SharingCard(exposures: { week: Exposure; month: Exposure }) {
  const { t } = useTranslation('insights')
  const [window, setWindow] = useState<(typeof windows)[number]>('week')
  const exposure = exposures[window]
  const options = windows.map((value) => ({ value, label: t(`sharing.${value}`) }))
  return (
    <Panel
      title={t('sharing.title')}
      hint={t('sharing.hint')}
      end={<Segmented label={t('sharing.window')} options={options} value={window} onChange={setWindow} />}
    >
      {exposure.gini === null ? <Nothing>{t('sharing.none')}</Nothing> : <Shared {...exposure} gini={exposure.gini} />}
    </Panel>
  )
}

function Shared({ gini, genders, cards, neverShown, matchesPer100 }: Exposure & { gini: number }) {
  const { t } = useTranslation('insights')
  const { whole, decimal, percent } = useNumbers()
  const rows = genders.flatMap((row) => (row.gini === null ? [] : [{ name: row.gender, gini: row.gini }]))
  const facts = [
    { name: 'cards', value: whole(cards) },
    { name: 'never', value: neverShown === null ? t('pool.none') : percent(neverShown) },
    { name: 'yield', value: matchesPer100 === null ? t('pool.none') : decimal(matchesPer100) },
  ] as const
  return (
    <>
      <ul className="grid gap-3.5">
        <Evenness label={t('sharing.everybody')} gini={gini} strong />
        {rows.map((row) => (
          <Evenness key={row.name} label={t(`gender.${row.name}`)} gini={row.gini} />
        ))}
      </ul>
      <dl className="mt-auto grid gap-2 pt-5 text-s">
        {facts.map(({ name, value }) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-ink-2">{t(`sharing.${name}`)}</dt>
            <dd className="font-[620]">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Evenness({ label, gini, strong }: { label: string; gini: number; strong?: boolean }) {
  const { t } = useTranslation('insights')
  const { decimal } = useNumbers()
  return (
    <li>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <span className={strong ? 'font-[620]' : ''}>
          <span className="sr-only">{t('sharing.gini', { who: label })}</span>
          <span aria-hidden="true">{label}</span>
        </span>
        <span className="font-[620]">{decimal(gini)}</span>
      </div>
      <Bar share={gini} strong={strong ?? false} />
    </li>
  )
}
