import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoute } from 'wouter'
import { StepUpHost, useOwnDetails } from '../features/accounts/accounts.ts'
import { chatOf } from '../features/conversations/browser-chat.ts'
import { useIsWide, useWaitingTotal } from '../features/conversations/conversations.ts'
import { MessagingPanel } from '../features/conversations/messaging-panel.tsx'
import { LeavingScreen } from '../features/data-rights/data-rights.tsx'
import { ReportHost } from '../features/reports/reports.tsx'
import { useAddress } from '../platform/address/address.tsx'
import { createQueryClient } from '../platform/query/query-client.ts'
import { useSession } from '../platform/session.ts'
import { MatchDialog } from '../screens/match/match-dialog.tsx'
import { classNames } from '../ui/class-names.ts'
import { PageTitle, WaitingCount } from '../ui/page-title.tsx'
import { CrashBoundary } from './crash-screen.tsx'
import { isPublicPage } from './guard.tsx'
import { BottomTabs, NavigationBar } from './navigation.tsx'
import { useRealtime } from './realtime.tsx'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import { useUnreadMarks } from './unread-marks.ts'
import { useScreenStart } from './use-screen-start.ts'

export default function Shell({ children }: { children: ReactNode }) {
  const id = useSession((state) => state.user?.id)
  return <SignedInProviders key={id ?? 'no-one'}>{children}</SignedInProviders>
}

// The key is the user, so that nobody sees data cached for another person.
function SignedInProviders({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  useEffect(() => () => queryClient.clear(), [queryClient])
  return (
    <QueryClientProvider client={queryClient}>
      <Staying>{children}</Staying>
      <StepUpHost />
    </QueryClientProvider>
  )
}

// In a component of its own, so that a new message re-renders the title without the screen.
function Counted({ children }: { children: ReactNode }) {
  const count = useWaitingTotal()
  useUnreadMarks(count)
  return <WaitingCount value={count}>{children}</WaitingCount>
}

/** People whose account is about to be erased see only a notice of that, how to keep the account, and public pages. */
function Staying({ children }: { children: ReactNode }) {
  const { pathname } = useAddress()
  const { data } = useOwnDetails()
  if (!data?.eraseAt || isPublicPage(pathname))
    return (
      <Counted>
        <Frame>{children}</Frame>
      </Counted>
    )
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
  const isPlace = useIsWide() && talking
  // While moderators review evidence, their own chats aren't shown beside it.
  const atWork = pathname === '/admin'
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
      <main
        id="content"
        tabIndex={-1}
        className={classNames(
          'grid flex-1 focus:outline-none',
          !isPlace && !atWork && 'lg:grid-cols-[minmax(0,1fr)_400px]',
        )}
      >
        {talking && <PageTitle>{t('nav.chats')}</PageTitle>}
        {talking && <h1 className="sr-only">{t('nav.chats')}</h1>}
        {!isPlace && (
          <div className={classNames('min-w-0', talking && 'max-lg:hidden')}>
            <CrashBoundary key={talking ? '/home' : screenOf(pathname)}>
              <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
            </CrashBoundary>
          </div>
        )}
        {!atWork && <Panel {...{ talking, inThread, isPlace }} />}
      </main>
      {!inThread && <BottomTabs />}
      <MatchDialog writeFirst={(queryClient, id, text) => chatOf(queryClient).writeFirst(id, text)} />
      <ReportHost />
    </div>
  )
}

// All sections of the settings belong to one screen, so that the list of sections keeps its focus and its search text.
const screenOf = (pathname: string) => (pathname.startsWith('/settings/') ? '/settings' : pathname)

interface PanelProps {
  talking: boolean
  inThread: boolean
  /** Chats fill the whole screen, in several columns if it is wide enough. */
  isPlace: boolean
}

/** Shown beside the screen from 1024 px; below that, instead of the screen at /chat. Requires an id and a token. */
function Panel({ talking, inThread, isPlace }: PanelProps) {
  const allowed = useSession((state) => Boolean(state.user?.id && state.user.token))
  const isWide = useIsWide()
  if (!allowed) return null
  const height = inThread
    ? 'h-[calc(100dvh-var(--bar))]'
    : 'h-[calc(100dvh-var(--bar)-var(--tabs)-env(safe-area-inset-bottom))]'
  return (
    <div
      className={classNames(
        'sticky top-(--bar) min-w-0 flex-col overflow-hidden border-line bg-surface lg:flex lg:h-[calc(100dvh-var(--bar))]',
        height,
        talking ? 'flex' : 'hidden',
        isPlace ? 'border-t' : 'lg:border-s',
      )}
    >
      <CrashBoundary>
        <Suspense fallback={null}>
          <MessagingPanel isPlace={isPlace} isHidden={!talking && !isWide} />
        </Suspense>
      </CrashBoundary>
    </div>
  )
}
