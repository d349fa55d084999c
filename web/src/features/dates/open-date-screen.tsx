import type { OpenDate } from '@duet/contract/dates.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { CalendarClock, MapPin, NotebookText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import { problemCode } from '../../platform/problem.ts'
import { createQueryClient } from '../../platform/query/query-client.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Figure } from '../../ui/figure.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Wordmark } from '../../ui/wordmark.tsx'
import { DateState } from './date-state.tsx'
import { momentIn } from './date-words.ts'
import { useOpenDate } from './dates.api.ts'
import { Decline } from './decline.tsx'

/** The public pages of a shared date. /date/TOKEN shows it to people with the link; /date/stop/KEY stops its emails. */
export default function OpenDateScreen() {
  const { t } = useTranslation('dates')
  const { token = '', key } = useParams<{ token: string; key?: string }>()
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <PageTitle>{t(key === undefined ? 'open.tab' : 'stop.title')}</PageTitle>
      <div className="mx-auto flex min-h-dvh w-full max-w-140 flex-col px-4 pb-10 sm:px-6 print:min-h-0">
        <header className="flex h-18 flex-none items-center">
          <Wordmark />
        </header>
        <main className="grid gap-5">{key === undefined ? <Shared token={token} /> : <Decline linkKey={key} />}</main>
      </div>
    </QueryClientProvider>
  )
}

function Shared({ token }: { token: string }) {
  const { t } = useTranslation('dates')
  const { data, error, isFetching, refetch } = useOpenDate(token)
  // After the date is over, don't show cached data any longer.
  if (error && problemCode(error) === 'not_found') return <Gone />
  if (!data && error) return <ErrorState text={t('open.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-96 rounded-l" />
  return (
    <>
      <div role="status" className="empty:hidden">
        {error && <p className="rounded-m bg-sunken px-4 py-3 text-s">{t('open.old')}</p>}
      </div>
      <Shown date={data} />
    </>
  )
}

function Gone() {
  const { t } = useTranslation('dates')
  return (
    <div className="mx-auto grid max-w-80 justify-items-center gap-3 py-12 text-center">
      <Figure name="search" />
      <h1 className="display text-2xl">{t('open.goneTitle')}</h1>
      <p className="text-balance text-ink-2">{t('open.gone')}</p>
    </div>
  )
}

function Shown({ date }: { date: OpenDate }) {
  const { t, i18n } = useTranslation('dates')
  const { who, with: other } = date
  const title = other ? t('open.titleWith', { name: who.name, other: other.name }) : t('open.title', { name: who.name })
  return (
    <>
      <div className="mt-4 flex items-center sm:mt-8">
        <Portrait {...who} />
        {other && <Portrait {...other} className="-ms-4" />}
      </div>
      <h1 className="display text-2xl wrap-anywhere sm:text-[38px]">{title}</h1>
      <DateState date={date} />
      <Card className="grid gap-4 print:shadow-none print:ring-1 print:ring-line">
        <Fact icon={<CalendarClock aria-hidden="true" />} label={t('when')}>
          {momentIn(i18n.language, date.at)}
        </Fact>
        <Fact icon={<MapPin aria-hidden="true" />} label={t('place')}>
          <bdi>{date.place}</bdi>
        </Fact>
        {date.note && (
          <Fact icon={<NotebookText aria-hidden="true" />} label={t('note')}>
            <bdi>{date.note}</bdi>
          </Fact>
        )}
      </Card>
      <p className="text-s text-ink-2 text-pretty">
        {t('open.foot', { name: who.name, until: momentIn(i18n.language, date.expiresAt) })}
      </p>
      <a
        href="/safety"
        className="inline-flex min-h-11 items-center justify-self-start text-s font-[560] text-accent underline-offset-4 hover:underline print:hidden"
      >
        {t('toSafety')}
      </a>
    </>
  )
}

const round = 'size-24 rounded-full object-cover ring-4 ring-paper'

function Portrait({ name, photo, className = '' }: { name: string; photo: string | null; className?: string }) {
  if (photo) return <img src={photo} alt={name} className={`${round} ${className}`} />
  return (
    <span
      aria-hidden="true"
      className={`${round} ${className} display grid place-items-center bg-accent-soft text-2xl text-accent`}
    >
      {[...name][0]?.toLocaleUpperCase()}
    </span>
  )
}

function Fact({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <div className="flex gap-3.5">
      <span className="mt-0.5 flex-none text-ink-2">{icon}</span>
      <div className="min-w-0">
        <p className="text-s text-ink-2">{label}</p>
        <p className="whitespace-pre-line wrap-anywhere">{children}</p>
      </div>
    </div>
  )
}
