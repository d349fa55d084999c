import type { Profile } from '@duet/contract/profiles.ts'
import { Ban, EllipsisVertical, Flag, MessageCircle } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOwnDetails } from '../../features/accounts/accounts.ts'
import { DecisionBar, LikeItemButton, useItemLike, WhyCard } from '../../features/discovery/discovery.tsx'
import { TheirLike } from '../../features/likes/likes.ts'
import { BackLink } from '../../features/profiles/back-link.tsx'
import { ProfilePage, ProfileSkeleton } from '../../features/profiles/profile-page.tsx'
import { useProfile } from '../../features/profiles/profiles.ts'
import { PhotoMenu, useReport } from '../../features/reports/reports.tsx'
import { BlockConfirm } from '../../features/safety/safety.tsx'
import { navigate } from '../../platform/address/address.tsx'
import { problemCode } from '../../platform/problem.ts'
import { Extra } from '../../ui/boundary.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'

export function OtherProfile({ id }: { id: string }) {
  const { t } = useTranslation('profiles')
  const { data: profile, error, isFetching, refetch } = useProfile(id)
  if (error && problemCode(error) === 'not_found') return <Gone />
  if (!profile && error) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  return profile ? <Person profile={profile} /> : <ProfileSkeleton />
}

function Person({ profile }: { profile: Profile }) {
  const { data: own } = useOwnDetails()
  const { likeItem, dialog } = useItemLike(profile)
  const { id, name, why } = profile
  const onPhoto = ({ fileName }: Profile['photos'][number], place: number) => (
    <>
      <PhotoMenu person={profile} fileName={fileName} place={place} onBlocked={toHome} className="top-3" />
      {likeItem && <LikeItemButton kind="photo" onLike={() => likeItem({ kind: 'photo', fileName })} />}
    </>
  )
  const onPrompt = ({ prompt }: Profile['prompts'][number]) =>
    likeItem && <LikeItemButton kind="prompt" onLike={() => likeItem({ kind: 'prompt', prompt })} />
  const words = (
    <>
      {!profile.matched && (
        <Extra>
          <TheirLike id={id} name={name} />
        </Extra>
      )}
      <WhyCard name={name} why={why} />
    </>
  )
  return (
    <>
      <ProfilePage
        profile={profile}
        interests={new Set(own?.interests)}
        top={<BackLink to="/home" />}
        acts={<Acts profile={profile} />}
        why={words}
        {...{ onPhoto, onPrompt }}
      />
      {dialog}
    </>
  )
}

function Acts({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profiles')
  const { id, name, matched, mayMessage } = profile
  return (
    <div className="grid gap-5">
      {!matched && <DecisionBar user={profile} />}
      <div className="flex items-center gap-2">
        {mayMessage ? (
          <LinkButton
            to={`/chat/${id}`}
            size="l"
            variant={matched ? 'primary' : 'quiet'}
            className="flex-1"
            icon={<MessageCircle aria-hidden="true" />}
          >
            {t('message')}
          </LinkButton>
        ) : (
          <p className="flex-1 text-center text-s text-pretty text-ink-2">{t('mayNotMessage', { name })}</p>
        )}
        <More id={id} name={name} />
      </div>
    </div>
  )
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
