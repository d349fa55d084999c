import type { Message, Peer } from '@duet/contract/conversations.ts'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../platform/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Face } from '../../../ui/photo/face.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { useHidden } from '../../privacy/privacy.tsx'
import { briefly } from '../briefly.ts'
import { keyOf, quoteOf } from '../chat/messages.ts'
import { useRowTime } from '../row-time.ts'
import { snippetOf } from './snippet.ts'
import type { useMessageSearch } from './use-message-search.ts'

interface Hit {
  user: Peer
  message: Message
}

interface MessageHitsProps {
  search: ReturnType<typeof useMessageSearch>
  label: string
  onChoose: (hit: Hit) => void
}

export function MessageHits({ search, label, onChoose }: MessageHitsProps) {
  const { t } = useTranslation('conversations')
  const { hits, query, isError, isFetching, isFetchingNextPage } = search
  if (isError && !hits)
    return <ErrorState text={t('searchFailed')} busy={isFetching} onRetry={() => void search.refetch()} />
  if (!hits) return isFetching ? <SkeletonRows rows={3} /> : null
  if (hits.length === 0) return null
  return (
    <>
      <ul aria-label={label} aria-busy={search.isPlaceholderData}>
        {hits.map((hit) => (
          <li key={`${hit.user.id} ${keyOf(hit.message)}`}>
            <HitButton hit={hit} query={query} onChoose={() => onChoose(hit)} />
          </li>
        ))}
      </ul>
      {search.hasNextPage && (
        <Button
          variant="text"
          className="mx-auto mt-2 flex"
          busy={isFetchingNextPage}
          onClick={() => void search.fetchNextPage()}
        >
          {t('showMore')}
        </Button>
      )}
    </>
  )
}

function HitButton({ hit: { user, message }, query, onChoose }: { hit: Hit; query: string; onChoose: () => void }) {
  const { t, i18n } = useTranslation('conversations')
  const viewerId = useSession((state) => state.user?.id)
  const isOwn = message.senderId === viewerId
  const isFolded = useHidden()(message.message) && !isOwn
  // Use the full text here, because the match may be anywhere in it.
  const words = isFolded ? t('hidden.text') : briefly(t, { ...quoteOf(message), message: message.message })
  const time = useRowTime(message.timestamp, i18n.language)
  const { before, found, after } = snippetOf(words, isFolded ? '' : query)
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex w-full items-center gap-3.5 px-5.5 py-2.5 text-start transition hover:bg-paper focus-visible:-outline-offset-2"
    >
      <Face name={user.name} photo={user.photo} size={40} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="truncate font-[620]">
            <bdi>{user.name}</bdi>
          </span>
          <time dateTime={message.timestamp} className="flex-none text-[13px] text-ink-2">
            {time}
          </time>
        </span>
        <span className="line-clamp-2 text-[15px] text-ink-2">
          <bdi>
            {isOwn && t('you', { text: '' })}
            {before}
            {found && <mark className="rounded-[4px] bg-accent-soft px-0.5 text-accent">{found}</mark>}
            {after}
          </bdi>
        </span>
      </span>
    </button>
  )
}
