import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DateCard } from './date-card.tsx'
import { useDates } from './dates.api.ts'
import { ShareDate } from './dates.tsx'

export default function DatesScreen() {
  const { t } = useTranslation('dates')
  const [sharing, setSharing] = useState(false)
  const share = (urgent: boolean) => (
    <Button variant={urgent ? 'quiet' : 'primary'} icon={<Plus aria-hidden="true" />} onClick={() => setSharing(true)}>
      {t('shareTitle')}
    </Button>
  )
  return (
    <Page title={t('title')} lead={t('listLead')}>
      <DateList share={share} />
      <p className="text-s text-ink-2">
        <Link
          to="/safety"
          className="inline-flex min-h-11 items-center font-[560] text-accent underline-offset-4 hover:underline"
        >
          {t('toSafety')}
        </Link>
      </p>
      <ShareDate open={sharing} onOpenChange={setSharing} />
    </Page>
  )
}

function DateList({ share }: { share: (urgent: boolean) => ReactNode }) {
  const { t } = useTranslation('dates')
  const { data, isError, isFetching, refetch } = useDates()
  if (!data && isError) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-64 rounded-l" />
  if (data.dates.length === 0) return <EmptyState figure="rest" text={t('none')} action={share(false)} />
  return (
    <>
      <div>{share(data.dates.some(({ checkIn }) => checkIn === 'due' || checkIn === 'missed'))}</div>
      {data.dates.map((date) => (
        <DateCard key={date.id} date={date} />
      ))}
    </>
  )
}
