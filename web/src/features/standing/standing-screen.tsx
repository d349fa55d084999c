import type { OwnStanding } from '@duet/contract/sanctions.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createQueryClient } from '../../platform/query/query-client.ts'
import { useSession } from '../../platform/session.ts'
import { Extra } from '../../ui/boundary.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Wordmark } from '../../ui/wordmark.tsx'
import { StepUpHost } from '../accounts/accounts.ts'
import { LeavingScreen, YourDataSection } from '../data-rights/data-rights.tsx'
import { RunningDates } from '../dates/dates.tsx'
import { SanctionList } from './sanction-list.tsx'
import { useDays } from './sanction-view.tsx'
import { isShut, useErasure, useStanding } from './standing.api.ts'

/** The /standing screen, the only one that suspended people can use. */
export default function StandingScreen() {
  const id = useSession((state) => state.user?.id)
  return <OfOnePerson key={id} />
}

// Keyed by person, so that nobody sees another person's cached data.
function OfOnePerson() {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <header className="flex h-(--nav) items-center px-4 sm:px-6">
        <Wordmark />
      </header>
      <Extra>
        <Standing />
      </Extra>
      <StepUpHost />
    </QueryClientProvider>
  )
}

function Standing() {
  const { t } = useTranslation('standing')
  const { data, isError, isFetching, refetch } = useStanding()
  const { data: erasure } = useErasure(isShut(data))
  const signOut = useSession((state) => state.signOut)
  const mayChange = data?.standing !== 'banned'
  if (erasure?.eraseAt) return <LeavingScreen eraseAt={erasure.eraseAt} mayChange={mayChange} />
  return (
    <main>
      <Page title={data ? t(`title.${data.standing}`) : t('section')} lead={data && <Lead standing={data} />}>
        {!data && isError && <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />}
        {!data && !isError && <Skeleton className="h-72 rounded-l" />}
        {data && isShut(data) && <RunningDates mayChange={mayChange} />}
        {data && data.sanctions.length > 0 && (
          <Card className="py-6!">
            <h2 className="sr-only">{t('list')}</h2>
            <SanctionList sanctions={data.sanctions} />
          </Card>
        )}
        {data && !isShut(data) && (
          <LinkButton to="/home" className="justify-self-start">
            {t('back')}
          </LinkButton>
        )}
        {data && isShut(data) && <YourDataSection />}
        {(isError || isShut(data)) && (
          <Button
            variant="quiet"
            className="justify-self-start"
            icon={<LogOut aria-hidden="true" className="mirror" />}
            onClick={() => void signOut()}
          >
            {t('signOut')}
          </Button>
        )}
      </Page>
    </main>
  )
}

function Lead({ standing: { standing, until } }: { standing: OwnStanding }) {
  const { t } = useTranslation('standing')
  const day = useDays()
  return (
    <>
      {t(`now.${standing}`)} {until && t('lasts', { date: day(until) })}
    </>
  )
}
