import type { VerificationForReview } from '@duet/contract/verification.ts'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { problemCode } from '../../platform/problem.ts'
import { useSession } from '../../platform/session.ts'
import { relativeTime } from '../../platform/time.ts'
import { toast } from '../../platform/toast.ts'
import { classNames } from '../../ui/class-names.ts'
import { Photograph } from '../../ui/photo/photograph.tsx'
import { PoseFigure } from './pose-figure.tsx'
import { ReviewActs } from './review-acts.tsx'
import { ReviewSelfie } from './review-selfie.tsx'
import { useDecideVerification, type VerificationDecision } from './verification.api.ts'

function useDecision({ id, user: { name } }: VerificationForReview) {
  const { t } = useTranslation('verification')
  const decide = useDecideVerification()
  const act = (decision: VerificationDecision) =>
    decide.mutate(
      { id, ...decision },
      {
        onSuccess: () => toast.success(t(`admin.done.${decision.decision}`, { name })),
        onError: (error) => toast.error(t(`admin.${problemOf(error)}`)),
      },
    )
  return { act, doing: decide.isPending ? decide.variables.decision : undefined }
}

function problemOf(error: Error): 'conflict' | 'changed' | 'decideFailed' {
  const code = problemCode(error)
  if (code === 'conflict') return 'conflict'
  return code === 'not_found' ? 'changed' : 'decideFailed'
}

export function ReviewItem({ waiting }: { waiting: VerificationForReview }) {
  const { t } = useTranslation('verification')
  const item = useRef<HTMLLIElement>(null)
  const [looking, setLooking] = useState(false)
  const { act, doing } = useDecision(waiting)
  const { id, user, photos } = waiting
  const [main, ...others] = photos
  const decide = (decision: VerificationDecision) => {
    // The item is about to disappear, so move the keyboard focus to its neighbour.
    const next = item.current?.nextElementSibling ?? item.current?.previousElementSibling
    if (next instanceof HTMLElement && item.current?.contains(document.activeElement)) next.focus()
    act(decision)
  }
  return (
    <li
      ref={item}
      tabIndex={-1}
      aria-label={user.name}
      className="grid grid-cols-1 gap-6 rounded-l bg-surface p-5.5 shadow-one focus:outline-2 focus:outline-offset-3 focus:outline-accent md:grid-cols-[minmax(0,1fr)_280px]"
    >
      <div className="grid content-start gap-3">
        <div className="grid grid-cols-2 gap-3">
          <ReviewSelfie id={id} name={user.name} looking={looking} onLook={setLooking} />
          <figure className="relative aspect-3/4 overflow-hidden rounded-m bg-sunken">
            {main && <Compared photo={main} name={user.name} looking={looking} />}
            <figcaption className="absolute start-2 bottom-2 rounded-full bg-surface px-2.5 py-1 text-xs font-semibold">
              {t('admin.main')}
            </figcaption>
          </figure>
        </div>
        {others.length > 0 && (
          <ul aria-label={t('admin.photos', { name: user.name })} className="grid grid-cols-5 gap-3">
            {others.map((photo) => (
              <li key={photo.fileName} className="aspect-3/4 overflow-hidden rounded-s">
                <Compared photo={photo} name={user.name} looking={looking} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="grid grid-cols-1 content-start gap-4">
        <Asked waiting={waiting} />
        <ReviewActs name={user.name} looked={looking} doing={doing} onDecide={decide} />
      </div>
    </li>
  )
}

interface ComparedProps {
  photo: VerificationForReview['photos'][number]
  name: string
  looking: boolean
}

function Compared({ photo, name, looking }: ComparedProps) {
  const { t } = useTranslation('verification')
  return (
    <Photograph
      photo={photo}
      sizes="(min-width: 640px) 360px, 45vw"
      fallbackAlt={t('admin.photos', { name })}
      className={classNames('transition', !looking && 'blur-xl')}
    />
  )
}

function Asked({ waiting: { pose, submittedAt, user, claim } }: { waiting: VerificationForReview }) {
  const { t, i18n } = useTranslation(['verification', 'common'])
  const viewerId = useSession((state) => state.user?.id)
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
        <Link to={`/profile/${user.id}`} className="display min-w-0 text-xl wrap-anywhere hover:underline">
          <bdi>{user.name}</bdi>
        </Link>
        <time dateTime={submittedAt} className="flex-none text-[13px] text-ink-2">
          {relativeTime(submittedAt, new Date(), t, i18n.language)}
        </time>
      </p>
      <div className="flex items-end gap-3.5 overflow-hidden rounded-m bg-sunken px-3 pt-3">
        <PoseFigure pose={pose} className="size-24 flex-none" />
        <p className="min-w-0 self-center pb-3">
          <span className="block text-s text-ink-2">{t('admin.asked')}</span>
          {t(`pose.${pose}`)}
        </p>
      </div>
      {claim && claim.by.id !== viewerId && (
        <p className="text-s font-medium text-warn">{t('admin.claimed', { name: claim.by.name })}</p>
      )}
    </>
  )
}
