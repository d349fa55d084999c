import type { PhotoForReview, PhotoGround } from '@duet/contract/moderation.ts'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../platform/session.ts'
import { relativeTime } from '../../platform/time.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { Photograph } from '../../ui/photo/photograph.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useClaim } from './cases/use-claim.ts'
import { photoGrounds, usePhotosForReview, useReview } from './moderation.api.ts'

const columns =
  'grid grid-cols-[repeat(auto-fill,minmax(160px,1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(236px,1fr))] sm:gap-6'

export function PhotoReview() {
  const { t } = useTranslation('moderation')
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePhotosForReview()
  if (!data && isError) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Shapes />
  const photos = data.pages.flatMap((page) => page.photos)
  const more = hasNextPage && (
    <Button variant="quiet" className="mx-auto" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {t('more')}
    </Button>
  )
  if (photos.length === 0) return <EmptyState figure="photo" text={t('none')} action={more || undefined} />
  return (
    <>
      <ul aria-label={t('photos')} className={columns}>
        {photos.map((photo) => (
          <Waits key={photo.photo.fileName} {...photo} />
        ))}
      </ul>
      {more}
    </>
  )
}

function Shapes() {
  return (
    <div className={columns}>
      {['one', 'two', 'three'].map((key) => (
        <Skeleton key={key} className="aspect-3/4 rounded-l" />
      ))}
    </div>
  )
}

/** Hovering over or focusing the photo claims it, so that two moderators don't decide on it at the same time. */
function Waits({ photo, owner, uploadedAt, claim }: PhotoForReview) {
  const { t, i18n } = useTranslation(['moderation', 'common'])
  const viewerId = useSession((state) => state.user?.id)
  const review = useReview()
  const [looking, setLooking] = useState(false)
  const { state: taking } = useClaim('photo', photo.fileName, looking, review.isPending || review.isSuccess)
  const isTaken = taking === 'taken'
  const isTheirs = claim !== null && claim.by.id !== viewerId
  const { fileName } = photo
  const failed = () => toast.error(t('reviewFailed'))
  const decide = (state: 'approved' | 'rejected', ground?: PhotoGround) => {
    // The toast uses promises instead of mutation callbacks, because this card unmounts when the photo leaves the list.
    const undo = () =>
      void review.mutateAsync({ fileName, state: 'pending' }).then(() => toast.success(t('done.pending')), failed)
    const succeeded = () => toast.success(t(`done.${state}`), { undo: { label: t('undo'), onUndo: undo } })
    void review.mutateAsync({ fileName, state, ground }).then(succeeded, failed)
  }
  const lookOf = (state: 'approved' | 'rejected') => ({
    busy: review.isPending && review.variables.state === state,
    disabled: isTaken || (review.isPending && review.variables.state !== state),
    className: 'gap-1.5 px-2',
  })
  const reasons = photoGrounds.map((ground) => ({
    label: t(`because.${ground}`),
    onSelect: () => decide('rejected', ground),
  }))
  return (
    <li
      className="overflow-hidden rounded-l bg-surface shadow-one"
      onPointerEnter={() => setLooking(true)}
      onPointerLeave={(event) => setLooking(event.currentTarget.contains(document.activeElement))}
      onFocus={() => setLooking(true)}
      onBlur={(event) => setLooking(event.currentTarget.contains(event.relatedTarget))}
    >
      <button
        type="button"
        aria-label={t('look', { name: owner.name })}
        className="group block aspect-3/4 w-full overflow-hidden focus-visible:-outline-offset-2"
      >
        <Photograph
          photo={photo}
          sizes="280px"
          className="blur-2xl transition group-hover:blur-none group-focus:blur-none"
        />
      </button>
      <div className="grid grid-cols-1 gap-3 p-3 sm:p-4">
        <p className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3">
          <span dir="auto" className="max-w-full truncate font-[620]">
            {owner.name}
          </span>
          <time dateTime={uploadedAt} className="flex-none text-[13px] text-ink-2">
            {relativeTime(uploadedAt, new Date(), t, i18n.language)}
          </time>
        </p>
        {(isTheirs || isTaken) && (
          <p role="status" className="text-s font-medium text-warn">
            {isTheirs ? t('claim.theirsShort', { name: claim.by.name }) : t('claim.taken')}
          </p>
        )}
        <div className="grid gap-2 sm:grid-cols-2">
          <Button
            {...lookOf('approved')}
            variant="quiet"
            icon={<Check aria-hidden="true" />}
            onClick={() => decide('approved')}
          >
            {t('approve')}
          </Button>
          <Menu
            items={reasons}
            trigger={
              <Button {...lookOf('rejected')} variant="danger" icon={<X aria-hidden="true" />}>
                {t('reject')}
              </Button>
            }
          />
        </div>
      </div>
    </li>
  )
}
