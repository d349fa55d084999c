import { distanceFilters } from '@duet/contract/limits.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { PlaceDialog } from '../places/places.tsx'
import { useUpdateUser } from '../profiles/profiles.ts'
import { useNearby } from './nearby.api.ts'
import { NearbyShape, nearbyGrid } from './nearby-shape.tsx'
import { PersonCard } from './person-card.tsx'

interface NearbyProps {
  details: MyDetails | undefined
  onFilter: () => void
}

export default function Nearby({ details, onFilter }: NearbyProps) {
  const { t } = useTranslation('discovery')
  const nearby = useNearby()
  const { data: people, isError, isFetching, refetch } = nearby
  if (!people && isError) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!people || !details) return <NearbyShape />
  if (people.length === 0 && !nearby.hasNextPage) return <NoOneNearby details={details} onFilter={onFilter} />
  const interests = new Set(details.interests)
  return (
    <>
      <ul aria-label={t('people')} className={nearbyGrid}>
        {people.map((person, index) => (
          <PersonCard key={person.id} person={person} interests={interests} eager={index < 3} />
        ))}
      </ul>
      <ListEnd {...nearby} loading={t('loadingMore')} failed={t('moreFailed')} end={t('end')} className="min-h-24" />
    </>
  )
}

function NoOneNearby({ details, onFilter }: { details: MyDetails; onFilter: () => void }) {
  const { t } = useTranslation('discovery')
  const [choosing, setChoosing] = useState(false)
  const update = useUpdateUser()
  if (!details.area)
    return (
      <>
        <EmptyState
          figure="search"
          text={t('noPlace')}
          action={<Button onClick={() => setChoosing(true)}>{t('choosePlace')}</Button>}
        />
        <PlaceDialog open={choosing} onOpenChange={setChoosing} area={null} />
      </>
    )
  const km = details.maxDistanceKm
  if (!km) {
    const act = <Button onClick={onFilter}>{t('changeFilters')}</Button>
    return <EmptyState figure="people" text={t('nobodyFits')} action={act} />
  }
  const wider = distanceFilters.find((distance) => distance > km) ?? null
  const act = (
    <Button busy={update.isPending} onClick={() => update.mutate({ maxDistanceKm: wider })}>
      {wider ? t('widen', { km: wider }) : t('lookAnywhere')}
    </Button>
  )
  return (
    <>
      <EmptyState figure="people" text={t('nobodyNear', { km })} action={act} />
      {update.isError && (
        <p role="alert" className="text-center text-s font-medium text-bad">
          {t('sheet.failed')}
        </p>
      )}
    </>
  )
}
