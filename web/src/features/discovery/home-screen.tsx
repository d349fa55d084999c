import type { MyDetails } from '@duet/contract/profiles.ts'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Chip } from '../../ui/chip.tsx'
import { useOwnDetails } from '../accounts/accounts.ts'
import { PreferencesSheet } from './discovery.tsx'
import { Nearby } from './nearby.tsx'

/** /home: the people nearby. */
export default function HomeScreen() {
  const { t } = useTranslation('discovery')
  const { data: details } = useOwnDetails()
  const [filtering, setFiltering] = useState(false)
  return (
    <div className="mx-auto w-full max-w-240 px-3.5 pt-4 pb-12 sm:px-8">
      <h1 className="sr-only">{t('title')}</h1>
      {details && <Filters details={details} onOpen={() => setFiltering(true)} />}
      {details && !details.onboardingComplete && <FinishProfile id={details.id} />}
      <Nearby details={details} onFilter={() => setFiltering(true)} />
      {details && <PreferencesSheet open={filtering} onOpenChange={setFiltering} details={details} />}
    </div>
  )
}

function Filters({ details, onOpen }: { details: MyDetails; onOpen: () => void }) {
  const { t } = useTranslation(['discovery', 'catalogue'])
  const { ageMin, ageMax, maxDistanceKm, interestedIn } = details
  const words = [
    t('ages', { min: ageMin, max: ageMax }),
    maxDistanceKm ? t('within', { km: maxDistanceKm }) : t('anywhere'),
    ...interestedIn.map((gender) => t(`catalogue:meet.${gender}`)),
  ]
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2 sm:mb-6">
      <Chip icon={<SlidersHorizontal aria-hidden="true" />} onClick={onOpen} aria-haspopup="dialog">
        {t('filters')}
      </Chip>
      <ul className="contents">
        {words.map((word) => (
          <li
            key={word}
            className="inline-flex h-9 items-center rounded-full border border-line bg-surface px-3.5 text-s font-medium"
          >
            {word}
          </li>
        ))}
      </ul>
    </div>
  )
}

function FinishProfile({ id }: { id: string }) {
  const { t } = useTranslation('common')
  return (
    <Card className="mb-6 flex flex-wrap items-center gap-4">
      <div className="min-w-60 flex-1">
        <h2 className="display text-xl">{t('finishProfile.title')}</h2>
        <p className="mt-1 text-ink-2">{t('finishProfile.text')}</p>
      </div>
      <LinkButton to={`/profile/${id}`} variant="quiet">
        {t('finishProfile.act')}
      </LinkButton>
    </Card>
  )
}
