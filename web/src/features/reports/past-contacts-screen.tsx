import type { PastContact } from '@duet/contract/reports.ts'
import { Flag } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { regional } from '../../platform/socket/region.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useReportStore } from './report-store.ts'
import { usePastContacts } from './reports.api.ts'

/**
 * The /report screen lists people I matched or exchanged messages with but no longer see, each with a way to report
 * them.
 */
export default function PastContactsScreen() {
  const { t } = useTranslation('reports')
  return (
    <Page title={t('past.title')} lead={t('past.lead')}>
      <People />
      <div className="text-s text-ink-2">
        <p className="text-pretty">{t('past.more')}</p>
        <Link
          to="/safety"
          className="mt-1 inline-flex min-h-11 items-center font-[560] text-accent underline-offset-4 hover:underline"
        >
          {t('past.safety')}
        </Link>
      </div>
    </Page>
  )
}

function People() {
  const { t } = useTranslation('reports')
  const { data, isError, isFetching, refetch, ...more } = usePastContacts()
  if (!data && isError) return <ErrorState text={t('past.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-64 rounded-l" />
  const people = data.pages.flatMap((page) => page.people)
  if (people.length === 0) return <EmptyState figure="rest" text={t('past.none')} />
  return (
    <div>
      <Card className="py-2!">
        <ul aria-label={t('past.list')} className="divide-y divide-line">
          {people.map((person) => (
            <Gone key={person.id} {...person} />
          ))}
        </ul>
      </Card>
      {more.hasNextPage && (
        <ListEnd {...more} loading={t('past.loading')} failed={t('past.moreFailed')} className="min-h-12" />
      )}
    </div>
  )
}

function Gone({ id, name, since, matched }: PastContact) {
  const { t, i18n } = useTranslation('reports')
  const report = useReportStore((state) => state.ask)
  const date = new Intl.DateTimeFormat(regional(i18n.language), { dateStyle: 'medium' }).format(new Date(since))
  const ask = () => report({ userId: id, name, subject: { kind: 'profile' }, isGone: true })
  return (
    <li className="flex items-center gap-4 py-3">
      <span className="min-w-0 flex-1">
        <span className="flex font-medium">
          <span dir="auto" className="truncate">
            {name}
          </span>
        </span>
        <time dateTime={since} className="block text-s text-ink-2">
          {t(matched ? 'past.matched' : 'past.wrote', { date })}
        </time>
      </span>
      <Button
        variant="quiet"
        size="s"
        icon={<Flag aria-hidden="true" />}
        aria-label={t('past.reportName', { name })}
        onClick={ask}
      >
        {t('past.report')}
      </Button>
    </li>
  )
}
