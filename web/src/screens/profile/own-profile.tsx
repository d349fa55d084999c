import type { MyDetails } from '@duet/contract/profiles.ts'
import { Eye, Pencil } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOwnDetails } from '../../features/accounts/accounts.ts'
import { ageContext, PreferencesSheet } from '../../features/discovery/discovery.tsx'
import { PhotoEditor } from '../../features/photos/photos.tsx'
import { PlaceDialog } from '../../features/places/places.tsx'
import { Anchored } from '../../features/profiles/anchored.tsx'
import { Completeness } from '../../features/profiles/completeness.tsx'
import { ProfileForm } from '../../features/profiles/profile-form.tsx'
import { ProfilePage, ProfileSkeleton } from '../../features/profiles/profile-page.tsx'
import { useProfile } from '../../features/profiles/profiles.ts'
import { useAnswered } from '../../features/questions/questions.ts'
import { MainPhotoNote, VerificationSection } from '../../features/verification/verification.tsx'
import { Extra } from '../../ui/boundary.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFirstFocus, useWayBack } from '../../ui/use-way-back.ts'

export function OwnProfile() {
  const { t } = useTranslation('profiles')
  const { data: details, isError, isFetching, refetch } = useOwnDetails()
  const [previewing, setPreviewing] = useState(false)
  const wayBack = useWayBack<HTMLButtonElement>(previewing)
  if (!details && isError) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!details) return <ProfileSkeleton />
  if (previewing) return <Preview details={details} onEdit={() => setPreviewing(false)} />
  const preview = (
    <Button ref={wayBack} variant="quiet" icon={<Eye aria-hidden="true" />} onClick={() => setPreviewing(true)}>
      {t('preview')}
    </Button>
  )
  return (
    <Page title={t('title')} className="max-w-190">
      <div className="-mt-4">{preview}</div>
      <Completeness completeness={details.completeness} />
      <Anchored id="photos">
        <Section title={t('photos')}>
          {details.verified && <MainPhotoNote />}
          <PhotoEditor photos={details.photos} />
        </Section>
      </Anchored>
      <Extra fallback={<Skeleton className="h-40 rounded-l" />}>
        <VerificationSection />
      </Extra>
      <Place area={details.area} />
      <Preferences details={details} />
      <Questions />
      <ProfileForm key={details.id} details={details} />
    </Page>
  )
}

function Preview({ details, onEdit }: { details: MyDetails; onEdit: () => void }) {
  const { t } = useTranslation('profiles')
  const { data: profile, isError, isFetching, refetch } = useProfile(details.id)
  const first = useFirstFocus<HTMLButtonElement>()
  return (
    <>
      <div className="mx-auto flex max-w-231 flex-wrap items-center gap-3 px-3.5 pt-4 min-[1300px]:px-8">
        <p className="flex-1 text-s text-ink-2">{t('previewNote')}</p>
        <Button ref={first} variant="quiet" icon={<Pencil aria-hidden="true" />} onClick={onEdit}>
          {t('edit')}
        </Button>
      </div>
      {/* Hides the agreement on questions, which would be with oneself. */}
      {profile && <ProfilePage profile={{ ...profile, questions: { agreed: 0, asked: 0 } }} interests={new Set()} />}
      {!profile && isError && <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />}
      {!profile && !isError && <ProfileSkeleton />}
    </>
  )
}

// Aligns the button's label with the edge of the page, and keeps the button from making the heading taller.
const beside = '-me-4 -my-2 px-4'

function Place({ area }: { area: string | null }) {
  const { t } = useTranslation('profiles')
  const [open, setOpen] = useState(false)
  const change = (
    <Button variant="text" className={beside} aria-label={t('changePlace')} onClick={() => setOpen(true)}>
      {area ? t('change') : t('choose')}
    </Button>
  )
  return (
    <Anchored id="place">
      <Section title={t('place')} end={change}>
        <p className="text-ink-2 wrap-anywhere">{area ?? t('noPlace')}</p>
        <PlaceDialog open={open} onOpenChange={setOpen} area={area} />
      </Section>
    </Anchored>
  )
}

function Preferences({ details }: { details: MyDetails }) {
  const { t } = useTranslation(['profiles', 'catalogue'])
  const [open, setOpen] = useState(false)
  const { ageMin, ageMax, maxDistanceKm, interestedIn } = details
  const words = [
    interestedIn.map((gender) => t(`catalogue:meet.${gender}`)).join(', '),
    t('ages', { min: ageMin, max: ageMax, context: ageContext(ageMax) }),
    maxDistanceKm ? t('within', { km: maxDistanceKm }) : t('anywhere'),
  ]
  const change = (
    <Button variant="text" className={beside} aria-label={t('changeWho')} onClick={() => setOpen(true)}>
      {t('change')}
    </Button>
  )
  return (
    <Anchored id="who">
      <Section title={t('who')} end={change}>
        <p className="text-ink-2 wrap-anywhere">{words.filter(Boolean).join(' · ')}</p>
        <PreferencesSheet open={open} onOpenChange={setOpen} details={details} />
      </Section>
    </Anchored>
  )
}

function Questions() {
  const { t } = useTranslation('profiles')
  const count = useAnswered()
  const answer = (
    <LinkButton to="/questions" variant="text" className={beside}>
      {t('questionsAct')}
    </LinkButton>
  )
  return (
    <Section title={t('questionsTitle')} hint={t('questionsHint')} end={answer}>
      {count && <p className="text-ink-2">{t('questionsCount', count)}</p>}
    </Section>
  )
}
