import type { MyDetails } from '@duet/contract/profiles.ts'
import { Undo2 } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useOnline } from '../../../platform/online.ts'
import { Extra } from '../../../ui/boundary.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { type DeckInMemory, useAdmirers } from '../../likes/likes.ts'
import { useDeck } from '../discovery.api.ts'
import { DeckCards } from './deck-cards.tsx'
import { DeckShape } from './deck-shape.tsx'
import { useRemembered } from './remembered.ts'
import { useDeckActs } from './use-deck-acts.ts'
import { type DeckAct, useDeckKeys } from './use-deck-keys.ts'

const DeckEmpty = lazily(() => import('./deck-empty.tsx'))

interface DeckProps {
  details: MyDetails | undefined
  onFilter: () => void
}

export function Deck({ details, onFilter }: DeckProps) {
  const { t } = useTranslation('discovery')
  const query = useDeck()
  const online = useOnline()
  const { data: deck, isError, isFetching, refetch } = query
  const retry = () => void refetch()
  const none = !deck?.cards.length
  if (none && !online && !isFetching) return <ErrorState text={t('deck.offline')} onRetry={retry} />
  if (none && isError) return <ErrorState text={t('deck.failed')} busy={isFetching} onRetry={retry} />
  if (!deck || !details) return <DeckShape />
  return (
    <Stage deck={deck} details={details} busy={isFetching} onFilter={onFilter} onRetry={isError ? retry : undefined} />
  )
}

interface StageProps {
  deck: DeckInMemory
  details: MyDetails
  busy: boolean
  onFilter: () => void
  onRetry: (() => void) | undefined
}

function Stage({ deck, details, busy, onFilter, onRetry }: StageProps) {
  const { t } = useTranslation('discovery')
  const stage = useRef<HTMLElement>(null)
  const [keys, setKeys] = useRemembered('deck-keys', ['on', 'off'])
  const admirers = useAdmirers()
  const interests = useMemo(() => new Set(details.interests), [details.interests])
  const { act, takeBack, said, backFrom, ghosts } = useDeckActs(deck, admirers)
  const topCard = () => stage.current?.querySelector<HTMLElement>('[data-card=top]') ?? null
  const onAct = (wanted: DeckAct) => (wanted === 'undo' ? takeBack() : act(wanted, topCard()))
  useDeckKeys(stage, keys === 'on', onAct)
  useFocusOnNext(deck.cards[0]?.id, () => topCard() ?? stage.current)
  return (
    <section ref={stage} aria-label={t('deck.label')} tabIndex={-1} className="relative focus:outline-none">
      {deck.cards.length > 0 && (
        <DeckCards
          {...{ deck, interests, admirers, backFrom, onRetry, act, onAct, topCard }}
          keys={keys === 'on'}
          onKeys={(on) => setKeys(on ? 'on' : 'off')}
        />
      )}
      {deck.cards.length === 0 && deck.state === 'ready' && <DeckShape />}
      {deck.cards.length === 0 && deck.state !== 'ready' && (
        <>
          {deck.undoNext !== null && <UndoLast onUndo={takeBack} />}
          <Extra fallback={<DeckShape />}>
            <DeckEmpty state={deck.state} details={details} busy={busy} onFilter={onFilter} />
          </Extra>
        </>
      )}
      <div ref={ghosts} aria-hidden="true" className="pointer-events-none absolute inset-0 z-6" />
      <p role="status" className="sr-only">
        {said}
      </p>
    </section>
  )
}

// Offered on the empty deck too, because the decision on the last card may have been a mistake.
function UndoLast({ onUndo }: { onUndo: () => void }) {
  const { t } = useTranslation('discovery')
  return (
    <p className="flex justify-center">
      <Button variant="quiet" icon={<Undo2 aria-hidden="true" />} onClick={onUndo}>
        {t('deck.undo')}
      </Button>
    </p>
  )
}

function useFocusOnNext(id: string | undefined, next: () => HTMLElement | null): void {
  const last = useRef(id)
  useEffect(() => {
    if (last.current === id) return
    last.current = id
    window.scrollTo({ top: 0 })
    // A closing dialog first returns the focus to its trigger, which may no longer exist.
    const wait = setTimeout(() => {
      if (document.activeElement === document.body) next()?.focus({ preventScroll: true })
    }, 60)
    return () => clearTimeout(wait)
  })
}
