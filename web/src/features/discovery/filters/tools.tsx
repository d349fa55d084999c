import type { MyDetails } from '@duet/contract/profiles.ts'
import { SlidersHorizontal, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { Chip } from '../../../ui/form/chip.tsx'
import { Segmented } from '../../../ui/form/segmented.tsx'
import { useDeck, usePool } from '../discovery.api.ts'
import { type ActiveFilter, activeFilters, ageContext, type Filters, filtersOf, wishOf } from './filters.ts'
import { manyOf, useWishWords } from './pool-words.ts'
import { useChangeFilters } from './use-change-filters.ts'
import { listed } from './words.ts'

const modes = ['deck', 'nearby'] as const
type Mode = (typeof modes)[number]

interface ToolsProps {
  mode: Mode
  onMode: (mode: Mode) => void
  details: MyDetails | undefined
  onFilter: () => void
}

export function Tools({ mode, onMode, details, onFilter }: ToolsProps) {
  const { t } = useTranslation('discovery')
  const active = details ? activeFilters(filtersOf(details)) : []
  const options = modes.map((value) => ({ value, label: t(`modes.${value}`) }))
  const width = mode === 'deck' ? 'max-w-[860px]' : 'max-w-240'
  return (
    <div className={classNames('mx-auto mb-3 flex flex-wrap items-center gap-2 sm:mb-6', width)}>
      <Segmented label={t('mode')} options={options} value={mode} onChange={onMode} />
      <Chip
        icon={<SlidersHorizontal aria-hidden="true" />}
        onClick={onFilter}
        aria-haspopup="dialog"
        aria-label={active.length > 0 ? t('filtersOn', { count: active.length }) : undefined}
        className="max-sm:ms-auto"
      >
        {t('filters')}
        {active.length > 0 && <span className="font-[620] text-accent">{active.length}</span>}
      </Chip>
      {details && active.length > 0 && <ActiveFilters saved={details} mode={mode} />}
      {details?.area && (mode === 'deck' ? <DeckPoolLine /> : <PoolLine />)}
    </div>
  )
}

function ActiveFilters({ saved, mode }: { saved: MyDetails; mode: Mode }) {
  const { t } = useTranslation(['discovery', 'ui'])
  const { filters, change } = useChangeFilters(saved)
  const active = activeFilters(filters)
  const words = useFilterWords(filters)
  return (
    <ul
      aria-label={t('activeFilters')}
      // On phones the deck needs this height, so the count is in the button instead.
      className={classNames(
        'flex flex-wrap gap-2',
        mode === 'deck' && 'max-sm:hidden',
        active.length > 2 && 'order-last w-full',
      )}
    >
      {active.map(({ key, without }) => (
        <li key={key}>
          <Chip aria-label={t('ui:remove', { what: words(key) })} onClick={() => change(without)}>
            {words(key)}
            <X aria-hidden="true" className="-me-1 text-ink-2" />
          </Chip>
        </li>
      ))}
    </ul>
  )
}

function useFilterWords({ ageMin, ageMax, maxDistanceKm, preferences }: Filters) {
  const { t, i18n } = useTranslation(['discovery', 'catalogue'])
  const wishWord = useWishWords()
  return (key: ActiveFilter['key']): string => {
    if (key === 'ages') return t('ages', { min: ageMin, max: ageMax, context: ageContext(ageMax) })
    if (key === 'distance') return t('within', { km: maxDistanceKm })
    if (key === 'height') return t('sheet.heightText', { ...preferences.height })
    const accepts = wishOf(preferences, key)?.accepts ?? []
    return accepts.length > 2
      ? t(`facts.${key}`)
      : listed(
          accepts.map((id) => wishWord(key, id)),
          i18n.language,
        )
  }
}

/** Hidden beside an empty deck, because a count of matching people would contradict the text that nobody is left. */
function DeckPoolLine() {
  const { data: deck } = useDeck()
  return deck && deck.cards.length > 0 ? <PoolLine /> : null
}

function PoolLine() {
  const { t } = useTranslation('discovery')
  const { data: pool } = usePool()
  if (!pool) return null
  const kind = manyOf(pool.both)
  if (kind === 'none')
    return <p className="ms-auto text-s text-ink-2 max-sm:hidden lg:max-[1240px]:hidden">{t('pool.none')}</p>
  const many = t(`pool.people.${kind}`, { count: pool.both })
  const [before = '', after = ''] = t('pool.both', { many: '' }).split('<b></b>')
  return (
    <p className="ms-auto text-s text-ink-2 max-sm:hidden lg:max-[1240px]:hidden">
      {before}
      <b className="font-[620] text-ink">{many}</b>
      {after}
    </p>
  )
}
