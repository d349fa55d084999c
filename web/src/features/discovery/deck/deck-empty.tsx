import type { Deck } from '@duet/contract/discovery.ts'
import { distanceFilters } from '@duet/contract/limits.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PlaceDialog } from '../../places/places.tsx'
import { useUpdateUser } from '../../profiles/profiles.ts'
import { usePool } from '../discovery.api.ts'
import { filtersOf } from '../filters/filters.ts'
import { PoolMeter, Wideners } from '../filters/pool.tsx'
import { useChangeFilters } from '../filters/use-change-filters.ts'

interface DeckEmptyProps {
  state: Deck['state']
  details: MyDetails
  busy: boolean
  onFilter: () => void
}

export default function DeckEmpty({ state, ...rest }: DeckEmptyProps) {
  if (state === 'no_place') return <NoPlace />
  if (state === 'paused') return <Paused />
  return state === 'nobody_fits' ? <NoOneFits {...rest} /> : <SeenAll {...rest} />
}

function NoPlace() {
  const { t } = useTranslation('discovery')
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <EmptyState
        figure="search"
        text={t('empty.noPlace')}
        action={<Button onClick={() => setChoosing(true)}>{t('choosePlace')}</Button>}
      />
      <PlaceDialog open={choosing} onOpenChange={setChoosing} area={null} />
    </>
  )
}

function Paused() {
  const { t } = useTranslation('discovery')
  const update = useUpdateUser()
  const act = (
    <Button busy={update.isPending} onClick={() => update.mutate({ paused: false })}>
      {t('empty.unpause')}
    </Button>
  )
  return (
    <>
      <EmptyState figure="rest" text={t('empty.paused')} action={act} />
      {update.isError && (
        <p role="alert" className="text-center text-s font-medium text-bad">
          {t('sheet.failed')}
        </p>
      )}
    </>
  )
}

type StateProps = Omit<DeckEmptyProps, 'state'>

function NoOneFits({ details, busy, onFilter }: StateProps) {
  const { t } = useTranslation('discovery')
  const filters = filtersOf(details)
  const { data: pool, isPlaceholderData } = usePool()
  const { change, busy: changing } = useChangeFilters(details)
  return (
    <div className="mx-auto grid w-full max-w-130 justify-items-center gap-6 pb-10">
      <EmptyState
        figure="people"
        text={t('empty.nobody_fits')}
        action={<Button onClick={onFilter}>{t('changeFilters')}</Button>}
      />
      {pool && (
        <>
          <div className="w-full">
            <PoolMeter pool={pool} measuring={isPlaceholderData} />
          </div>
          <Wideners wideners={pool.wideners} filters={filters} disabled={busy || changing} onWiden={change} centred />
        </>
      )}
    </div>
  )
}

const furthest = Math.max(...distanceFilters) as (typeof distanceFilters)[number]

// Wider distances are offered first, because they bring new people.
function SeenAll({ details, busy }: StateProps) {
  const { t } = useTranslation('discovery')
  const filters = filtersOf(details)
  const { data: pool } = usePool()
  const { change, busy: changing } = useChangeFilters(details)
  const { maxDistanceKm } = filters
  const act = (
    <div className="grid justify-items-center gap-2">
      {maxDistanceKm !== null && (
        <Button busy={changing} onClick={() => change({ maxDistanceKm: null })}>
          {t('lookAnywhere')}
        </Button>
      )}
      {maxDistanceKm !== null && maxDistanceKm < furthest && (
        <Button variant="quiet" disabled={changing} onClick={() => change({ maxDistanceKm: furthest })}>
          {t('widen', { km: furthest })}
        </Button>
      )}
      <div className="flex flex-wrap justify-center gap-x-1">
        <LinkButton to="/likes?tab=passes" variant={maxDistanceKm === null ? 'primary' : 'text'}>
          {t('empty.passes')}
        </LinkButton>
        <LinkButton to="/likes?tab=later" variant="text">
          {t('empty.laters')}
        </LinkButton>
      </div>
    </div>
  )
  const others = pool?.wideners.filter(({ item }) => item !== 'distance') ?? []
  return (
    <div className="mx-auto grid w-full max-w-130 justify-items-center gap-6 pb-10">
      <EmptyState figure="cards" text={t('empty.seen_all')} action={act} className="max-w-100" />
      <Wideners wideners={others} filters={filters} disabled={busy || changing} onWiden={change} centred />
    </div>
  )
}
