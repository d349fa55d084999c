import type { MyDetails } from '@duet/contract/profiles.ts'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { preloadTexts } from '../../platform/i18n.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useOwnDetails } from '../accounts/accounts.ts'
import { Deck } from './deck.tsx'
import { useFreshDeck } from './discovery.api.ts'
import { NearbyShape } from './nearby-shape.tsx'
import { PreferencesSheet } from './preferences-sheet.tsx'
import { useRemembered } from './remembered.ts'
import { Tools } from './tools.tsx'

const Nearby = lazy(() => import('./nearby.tsx'))

// The words of cards come beside the code of the screen, not after it.
void preloadTexts('catalogue', 'profiles')

/** /home: the deck, or everybody nearby. */
export default function HomeScreen() {
  const { t } = useTranslation('discovery')
  const { data: details } = useOwnDetails()
  const [mode, setMode] = useRemembered('home-mode', ['deck', 'nearby'])
  const [filtering, setFiltering] = useState(false)
  const filter = () => setFiltering(true)
  useFreshDeck(details)
  return (
    <div className="mx-auto w-full overflow-x-clip px-3.5 pt-1 pb-12 sm:px-8 sm:pt-4">
      <h1 className="sr-only">{t('title')}</h1>
      <Tools mode={mode} onMode={setMode} details={details} onFilter={filter} />
      {details && !details.onboardingComplete && <FinishProfile id={details.id} />}
      {mode === 'deck' ? (
        <Deck details={details} onFilter={filter} />
      ) : (
        <div className="mx-auto max-w-240">
          <Suspense fallback={<NearbyShape />}>
            <Nearby details={details} onFilter={filter} />
          </Suspense>
        </div>
      )}
      {details && <PreferencesSheet open={filtering} onOpenChange={setFiltering} details={details} />}
    </div>
  )
}

function FinishProfile({ id }: { id: MyDetails['id'] }) {
  const { t } = useTranslation('common')
  return (
    <Card className="mx-auto mb-6 flex max-w-[860px] flex-wrap items-center gap-4">
      <div className="min-w-60 flex-1">
        <h2 className="display text-xl">{t('finishProfile.title')}</h2>
        <p className="mt-1 text-ink-2">{t('finishProfile.text')}</p>
      </div>
      <LinkButton to={`/profile/${id}`} variant="quiet">
        {t('finishProfile.act')}
      </LinkButton>
    </Card>
  )
}
