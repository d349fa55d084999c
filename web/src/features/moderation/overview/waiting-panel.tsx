import type { ModerationFigures } from '@duet/contract/moderation.ts'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../../platform/address/address.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Panel } from '../../insights/insights.tsx'
import { useQueueFigures } from '../moderation.api.ts'
import { useNumbersOf } from '../numbers-of.ts'
import { queueOf } from '../parts.ts'

const queues = ['reports', 'appeals', 'photos', 'verification', 'review'] as const
type QueueName = (typeof queues)[number]

export function WaitingPanel() {
  const { t } = useTranslation('moderation')
  const { data, isError, isFetching, refetch } = useQueueFigures()
  return (
    <Panel title={t('figures.queues')}>
      {!data && isError && <ErrorState text={t('figures.failed')} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton className="h-64" />}
      {data && (
        <>
          <ul aria-label={t('figures.queues')} className="-mx-3 -mb-2.5">
            {queues.map((name) => (
              <QueueRow key={name} name={name} {...waitingIn(data, name)} />
            ))}
          </ul>
          {data.queues.every(({ open }) => open === 0) && (
            <p className="mt-5 border-t border-line pt-4 text-s text-pretty text-ink-2">{t('overview.howItWorks')}</p>
          )}
        </>
      )}
    </Panel>
  )
}

/** The age of the oldest case is in seconds. */
function waitingIn({ queues: all }: ModerationFigures, name: QueueName) {
  const here = all.filter(({ kind }) => kind === queueOf[name])
  const ages = here.flatMap(({ oldestAge }) => (oldestAge === null ? [] : [oldestAge]))
  return {
    open: here.reduce((sum, { open }) => sum + open, 0),
    oldest: ages.length > 0 ? Math.max(...ages) : null,
  }
}

function QueueRow({ name, open, oldest }: { name: QueueName; open: number; oldest: number | null }) {
  const { t } = useTranslation('moderation')
  const { whole, span } = useNumbersOf()
  return (
    <li className="relative before:absolute before:inset-x-3 before:top-0 before:h-px before:bg-line first:before:hidden">
      <Link
        to={`/admin?view=${name}`}
        className="flex min-h-15 items-center gap-3 rounded-m px-3 py-2 transition hover:bg-sunken/60 focus-visible:-outline-offset-2"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-[600]">{t(`part.${name}`)}</span>
          <span className="block text-s text-ink-2">
            {oldest === null ? t('overview.none') : t('overview.oldest', { age: span(oldest) })}
          </span>
        </span>
        <span className={classNames('text-xl font-[560] tabular-nums', open > 0 ? 'text-ink' : 'text-ink-2')}>
          {whole(open)}
        </span>
        <ChevronRight aria-hidden="true" className="mirror size-5! text-ink-3" />
      </Link>
    </li>
  )
}
