import type { Pool, Widener } from '@duet/contract/discovery.ts'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { Chip } from '../../../ui/form/chip.tsx'
import { type Filters, widened } from './filters.ts'
import { useManyWords, useWidenerWords } from './pool-words.ts'

export function PoolMeter({ pool, measuring }: { pool: Pool; measuring?: boolean }) {
  const { t } = useTranslation('discovery')
  const many = useManyWords()
  const parts = [
    { label: t('pool.iSee'), value: pool.iSee },
    { label: t('pool.seeMe'), value: pool.seeMe },
    { label: t('pool.bothWays'), value: pool.both, main: true },
  ]
  return (
    <dl
      aria-label={t('pool.label')}
      aria-busy={measuring || undefined}
      className={classNames(
        'grid grid-cols-3 divide-x divide-line rounded-l bg-sunken py-3.5 transition rtl:divide-x-reverse',
        measuring && 'opacity-60',
      )}
    >
      {parts.map(({ label, value, main }) => (
        <div key={label} className="flex flex-col justify-between gap-0.5 px-3 text-center text-balance">
          <dt className="text-xs text-ink-2 sm:text-[13px]">{label}</dt>
          <dd className={classNames('text-[15px] font-[620]', main && 'text-accent')}>{many(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

interface WidenersProps {
  wideners: readonly Widener[]
  filters: Filters
  disabled?: boolean
  onWiden: (changes: Partial<Filters>) => void
  centred?: boolean
}

export function Wideners({ wideners, filters, disabled = false, onWiden, centred }: WidenersProps) {
  const { t } = useTranslation('discovery')
  const words = useWidenerWords(filters)
  const useful = wideners.filter(({ adds }) => adds > 0)
  if (useful.length === 0) return null
  return (
    <section className={centred ? 'text-center' : undefined}>
      <h3 className="mb-2 text-s font-[540] text-ink-2">{t('pool.wideners')}</h3>
      <ul className={classNames('flex flex-wrap gap-2', centred && 'justify-center')}>
        {useful.map((widener) => (
          <li key={widener.item}>
            <Chip
              disabled={disabled}
              icon={<Plus aria-hidden="true" />}
              onClick={() => onWiden(widened(widener.changes))}
            >
              {words(widener).what}
              <span className="font-normal text-ink-2">{words(widener).gain}</span>
            </Chip>
          </li>
        ))}
      </ul>
    </section>
  )
}
