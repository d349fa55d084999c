import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LikeCard } from './like-card.tsx'
import { type Tab, useLikes } from './likes-lists.api.ts'
import { NoOne } from './no-one.tsx'
import { useAnswers } from './use-answers.ts'

const grid = 'grid grid-cols-2 gap-3 @xl:grid-cols-3 @xl:gap-5 @4xl:grid-cols-4'

export function LikeList({ tab }: { tab: Tab }) {
  const { t } = useTranslation('likes')
  const likes = useLikes(tab)
  const answer = useAnswers(tab)
  const { data, isError, isFetching, refetch } = likes
  if (!data && isError) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Shapes tab={tab} />
  if (data.length === 0 && !likes.hasNextPage) return <NoOne tab={tab} />
  return (
    <>
      <Lead tab={tab} />
      <ul aria-label={t(`list.${tab}`)} className={grid}>
        {data.map((like, index) => (
          <LikeCard
            key={like.user.id}
            {...{ like, tab }}
            eager={index < 4}
            // Failures are handled elsewhere: `useDecide` shows the reason, and the list restores the card.
            onAct={(act) => void answer(like, act).catch(() => undefined)}
          />
        ))}
      </ul>
      <ListEnd {...likes} loading={t('loadingMore')} failed={t('moreFailed')} className="min-h-12" />
    </>
  )
}

function Lead({ tab }: { tab: Tab }) {
  const { t } = useTranslation('likes')
  return <p className="mb-5 text-[15px] text-ink-2 text-pretty">{t(`lead.${tab}`)}</p>
}

function Shapes({ tab }: { tab: Tab }) {
  return (
    <>
      <Lead tab={tab} />
      <div aria-hidden="true" className={grid}>
        {['one', 'two', 'three', 'four'].map((key) => (
          <div key={key} className="overflow-hidden rounded-l bg-surface shadow-one">
            <Skeleton className="aspect-3/4 rounded-none" />
            <div className="p-3">
              <Skeleton className="h-11 rounded-full" />
            </div>
          </div>
        ))}
      </div>
    </>
  )
}
