import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoute } from 'wouter'
import { StepUpHost, useOwnDetails } from '../features/accounts/accounts.ts'
import { MessagingPanel } from '../features/conversations/messaging-panel.tsx'
import { writeFirst } from '../features/conversations/outgoing.ts'
import { LeavingScreen } from '../features/data-rights/data-rights.tsx'
import { MatchDialog } from '../features/matches/matches.tsx'
import { ReportHost } from '../features/reports/reports.tsx'
import { useAddress } from '../platform/address.tsx'
import { createQueryClient } from '../platform/query-client.ts'
import { useSession } from '../platform/session.ts'
import { classNames } from '../ui/class-names.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { CrashBoundary } from './crash-screen.tsx'
import { BottomTabs, NavigationBar } from './navigation.tsx'
import { useRealtime } from './realtime.tsx'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import { useScreenStart } from './use-screen-start.ts'

/** Everything around a signed-in person's screens: the cache, the live connection, the bar, the messaging panel. */
export default function Shell({ children }: { children: ReactNode }) {
  const id = useSession((state) => state.user?.id)
  return <Signed key={id ?? 'nobody'}>{children}</Signed>
}

// Keyed by the user: what was in memory of one person never meets another.
function Signed({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  useEffect(() => () => queryClient.clear(), [queryClient])
  return (
    <QueryClientProvider client={queryClient}>
      <Staying>{children}</Staying>
      <StepUpHost />
    </QueryClientProvider>
  )
}

/** Whoever is about to go sees that, and how to stay, in the place of everything else. */
function Staying({ children }: { children: ReactNode }) {
  const { data } = useOwnDetails()
  if (!data?.eraseAt) return <Frame>{children}</Frame>
  return (
    <CrashBoundary>
      <Suspense fallback={<ScreenSkeleton />}>
        <LeavingScreen eraseAt={data.eraseAt} />
      </Suspense>
    </CrashBoundary>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('common')
  const { pathname } = useAddress()
  const [talking, chat] = useRoute('/chat/:id?')
  const inThread = Boolean(chat?.id)
  useRealtime()
  useScreenStart(pathname)
  return (
    <div
      className={classNames(
        'flex min-h-dvh flex-col',
        !inThread && 'max-sm:pb-[calc(var(--tabs)+env(safe-area-inset-bottom))]',
      )}
    >
      <a
        href="#content"
        className="fixed start-4 top-2 z-50 -translate-y-20 rounded-full bg-ink px-5 py-2.5 text-paper focus:translate-y-0"
      >
        {t('nav.skip')}
      </a>
      <NavigationBar />
      <main id="content" tabIndex={-1} className="grid flex-1 focus:outline-none lg:grid-cols-[minmax(0,1fr)_400px]">
        {talking && <PageTitle>{t('nav.chats')}</PageTitle>}
        {talking && <h1 className="sr-only lg:hidden">{t('nav.chats')}</h1>}
        <div className={classNames('min-w-0', talking && 'max-lg:hidden')}>
          <CrashBoundary key={talking ? '/home' : pathname}>
            <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
          </CrashBoundary>
        </div>
        <Panel talking={talking} inThread={inThread} />
      </main>
      {!inThread && <BottomTabs />}
      <MatchDialog writeFirst={writeFirst} />
      <ReportHost />
    </div>
  )
}

/** The messaging panel: beside the screen from 1024 px, in its place below. Only with an id and a token. */
function Panel({ talking, inThread }: { talking: boolean; inThread: boolean }) {
  const allowed = useSession((state) => Boolean(state.user?.id && state.user.token))
  if (!allowed) return null
  const height = inThread
    ? 'h-[calc(100dvh-var(--bar))]'
    : 'h-[calc(100dvh-var(--bar)-var(--tabs)-env(safe-area-inset-bottom))]'
  return (
    <div
      className={classNames(
        'sticky top-(--bar) min-w-0 flex-col overflow-hidden border-line bg-surface lg:flex lg:h-[calc(100dvh-var(--bar))] lg:border-s',
        height,
        talking ? 'flex' : 'hidden',
      )}
    >
      <CrashBoundary>
        <Suspense fallback={null}>
          <MessagingPanel />
        </Suspense>
      </CrashBoundary>
    </div>
  )
}
