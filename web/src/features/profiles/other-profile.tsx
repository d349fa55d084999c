import type { Profile } from '@duet/contract/profiles.ts'
import { Ban, EllipsisVertical, Flag, MessageCircle } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigate } from '../../platform/address.tsx'
import { codeOf } from '../../platform/problem.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useOwnDetails } from '../accounts/accounts.ts'
import { DecisionBar, WhyCard } from '../discovery/discovery.tsx'
import { PhotoMenu, useReport } from '../reports/reports.tsx'
import { BlockConfirm } from '../safety/safety.tsx'
import { ProfilePage, ProfileSkeleton } from './profile-page.tsx'
import { useProfile } from './profiles.ts'

/** Another person's page, and what can be done there. */
export function OtherProfile({ id }: { id: string }) {
  const { t } = useTranslation('profiles')
  const { data: profile, error, isFetching, refetch } = useProfile(id)
  const { data: own } = useOwnDetails()
  if (error && codeOf(error) === 'not_found') return <Gone />
  if (!profile && error) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!profile) return <ProfileSkeleton />
  const acts = (
    <div className="grid gap-5">
      {!profile.matched && (
        <Suspense fallback={<Skeleton className="mx-auto h-18 w-64 rounded-full" />}>
          <DecisionBar user={profile} />
        </Suspense>
      )}
      <div className="flex items-center gap-2">
        {profile.mayMessage ? (
          <LinkButton
            to={`/chat/${id}`}
            size="l"
            variant={profile.matched ? 'primary' : 'quiet'}
            className="flex-1"
            icon={<MessageCircle aria-hidden="true" />}
          >
            {t('message')}
          </LinkButton>
        ) : (
          <p className="flex-1 text-center text-s text-pretty text-ink-2">
            {t('mayNotMessage', { name: profile.name })}
          </p>
        )}
        <More id={id} name={profile.name} />
      </div>
    </div>
  )
  const why = <WhyCard name={profile.name} why={profile.why} />
  const onPhoto = ({ fileName }: Profile['photos'][number], place: number) => (
    <PhotoMenu person={profile} fileName={fileName} place={place} onBlocked={toHome} className="top-3" />
  )
  return <ProfilePage profile={profile} interests={new Set(own?.interests)} {...{ acts, onPhoto, why }} />
}

const toHome = () => navigate('/home')

function Gone() {
  const { t } = useTranslation('profiles')
  const act = <LinkButton to="/home">{t('toHome')}</LinkButton>
  return <EmptyState figure="people" text={t('gone')} action={act} className="pt-20" />
}

function More({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('profiles')
  const [blocking, setBlocking] = useState(false)
  const report = useReport()
  const items = [
    {
      label: t('report'),
      icon: <Flag aria-hidden="true" />,
      onSelect: () => report({ userId: id, name, subject: { kind: 'profile' }, onBlocked: toHome }),
    },
    { label: t('block'), icon: <Ban aria-hidden="true" />, danger: true, onSelect: () => setBlocking(true) },
  ]
  return (
    <>
      <Menu
        trigger={<IconButton label={t('more')} icon={<EllipsisVertical aria-hidden="true" />} className="size-14" />}
        items={items}
      />
      <BlockConfirm open={blocking} onOpenChange={setBlocking} person={{ id, name }} onBlocked={toHome} />
    </>
  )
}
