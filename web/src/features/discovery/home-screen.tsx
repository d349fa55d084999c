import type { MyDetails } from '@duet/contract/profiles.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useAddress } from '../../platform/address/address.tsx'
import { preloadTexts } from '../../platform/i18n.ts'
import { Extra } from '../../ui/boundary.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { useOwnDetails } from '../accounts/accounts.ts'
import { Deck } from './deck/deck.tsx'
import { useRemembered } from './deck/remembered.ts'
import { useFreshDeck } from './discovery.api.ts'
import { PreferencesSheet } from './filters/preferences-sheet.tsx'
import { Tools } from './filters/tools.tsx'
import { NearbyShape } from './nearby-shape.tsx'

const Nearby = lazily(() => import('./nearby.tsx'))

void preloadTexts('catalogue', 'profiles').catch(() => undefined)

export default function HomeScreen() {
  const { t } = useTranslation('discovery')
  const { pathname } = useAddress()
  const { data: details, isError, isFetching, refetch } = useOwnDetails()
  const [mode, setMode] = useRemembered('home-mode', ['deck', 'nearby'])
  const [filtering, setFiltering] = useState(false)
  const filter = () => setFiltering(true)
  useFreshDeck(details)
  const gaps = details && !details.onboardingComplete && details.id
  return (
    <div
      className={classNames(
        'mx-auto w-full overflow-x-clip px-3.5 pt-1 pb-12 sm:px-8 sm:pt-4',
        gaps && '[--extra:56px]',
      )}
    >
      {/* The screen stays mounted behind the conversations, which then set the page title. */}
      {pathname === '/home' && <PageTitle>{t('title')}</PageTitle>}
      <h1 className="sr-only">{t('title')}</h1>
      <Tools mode={mode} onMode={setMode} details={details} onFilter={filter} />
      {gaps && <FinishProfile id={gaps} className={mode === 'deck' ? 'max-w-[860px]' : 'max-w-240'} />}
      {!details && isError && <ErrorState text={t('deck.failed')} busy={isFetching} onRetry={() => void refetch()} />}
      {(details || !isError) && mode === 'deck' && <Deck details={details} onFilter={filter} />}
      {(details || !isError) && mode === 'nearby' && (
        <div className="mx-auto max-w-240">
          <Extra fallback={<NearbyShape />}>
            <Nearby details={details} onFilter={filter} />
          </Extra>
        </div>
      )}
      {details && <PreferencesSheet open={filtering} onOpenChange={setFiltering} details={details} />}
    </div>
  )
}

function FinishProfile({ id, className }: { id: MyDetails['id']; className: string }) {
  const { t } = useTranslation('common')
  return (
    <p
      className={classNames(
        'mx-auto mb-3 flex min-h-11 items-center gap-x-4 rounded-full bg-sunken ps-5 pe-1 text-s',
        className,
      )}
    >
      <span className="min-w-0 flex-1 truncate" title={t('finishProfile.text')}>
        {t('finishProfile.title')}
        <span className="text-ink-2 max-lg:hidden"> · {t('finishProfile.text')}</span>
      </span>
      <Link
        to={`/profile/${id}`}
        className="grid h-11 flex-none place-items-center rounded-full px-4 font-[620] text-accent"
      >
        {t('finishProfile.act')}
      </Link>
    </p>
  )
}
