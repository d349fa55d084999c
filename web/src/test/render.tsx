import type { Session } from '@duet/contract/accounts.ts'
import type { Privacy } from '@duet/contract/privacy.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { type ReactNode, Suspense } from 'react'
import { AddressBar, useAddress } from '../platform/address/address.tsx'
import { startI18n } from '../platform/i18n.ts'
import { createQueryClient } from '../platform/query/query-client.ts'
import { useSession } from '../platform/session.ts'

export const jun: Session = {
  id: 'u_jun',
  name: 'Jun',
  email: 'jun@example.org',
  images: [],
  token: 'secret',
  isSuperAdmin: false,
  onboardingComplete: true,
}

export function signInAs(user: Session | null): void {
  useSession.getState().forget()
  if (user) useSession.getState().signIn(user)
}

export function Address() {
  const { pathname, search } = useAddress()
  return <output data-testid="address">{pathname + (search.size > 0 ? `?${search}` : '')}</output>
}

interface Options {
  path?: string
  texts?: string[]
  privacy?: Partial<Privacy>
}

const open: Privacy = {
  ...{ whoMayMessage: 'everyone', incognito: false, hideDistance: false, hidePresence: false, blurPhotos: false },
  hiddenWords: [],
}

export async function renderPage(page: ReactNode, { path = '/home', texts = [], privacy = {} }: Options = {}) {
  if (!i18next.isInitialized) await startI18n('en')
  await i18next.changeLanguage('en')
  await i18next.loadNamespaces(texts)
  window.history.replaceState(null, '', path)
  const queryClient = createQueryClient()
  queryClient.setQueryData(['privacy'], { ...open, ...privacy })
  queryClient.setDefaultOptions({ queries: { retry: false } })
  const view = render(
    <QueryClientProvider client={queryClient}>
      <AddressBar>
        <Suspense fallback={null}>{page}</Suspense>
        <Address />
      </AddressBar>
    </QueryClientProvider>,
  )
  return { ...view, queryClient, user: userEvent.setup() }
}
