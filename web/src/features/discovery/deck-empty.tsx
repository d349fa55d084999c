import type { Deck } from '@duet/contract/discovery.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PlaceDialog } from '../places/places.tsx'
import { useUpdateUser } from '../profiles/profiles.ts'
import { usePool } from './discovery.api.ts'
import { filtersOf } from './filters.ts'
import { PoolMeter, Wideners } from './pool.tsx'
import { useChangeFilters } from './use-change-filters.ts'

interface DeckEmptyProps {
  state: Deck['state']
  details: MyDetails
  busy: boolean
  onFilter: () => void
}

/** Why the deck is empty, and what would fill it. */
export default function DeckEmpty({ state, ...rest }: DeckEmptyProps) {
  if (state === 'no_place') return <NoPlace />
  if (state === 'paused') return <Paused />
  return state === 'nobody_fits' ? <NobodyFits {...rest} /> : <SeenAll {...rest} />
}

function NoPlace() {
  const { t } = useTranslation('discovery')
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <EmptyState
        figure="search"
        text={t('empty.noPlace')}
        action={<Button onClick={() => setChoosing(true)}>{t('choosePlace')}</Button>}
      />
      <PlaceDialog open={choosing} onOpenChange={setChoosing} area={null} />
    </>
  )
}

function Paused() {
  const { t } = useTranslation('discovery')
  const update = useUpdateUser()
  const act = (
    <Button busy={update.isPending} onClick={() => update.mutate({ paused: false })}>
      {t('empty.unpause')}
    </Button>
  )
  return (
    <>
      <EmptyState figure="rest" text={t('empty.paused')} action={act} />
      {update.isError && (
        <p role="alert" className="text-center text-s font-medium text-bad">
          {t('sheet.failed')}
        </p>
      )}
    </>
  )
}

type StateProps = Omit<DeckEmptyProps, 'state'>

function NobodyFits({ onFilter, ...rest }: StateProps) {
  const { t } = useTranslation('discovery')
  const act = <Button onClick={onFilter}>{t('changeFilters')}</Button>
  return (
    <Room {...rest}>
      <EmptyState figure="people" text={t('empty.nobody_fits')} action={act} />
    </Room>
  )
}

function SeenAll(props: StateProps) {
  const { t } = useTranslation('discovery')
  const act = (
    <div className="grid justify-items-center gap-1">
      <LinkButton to="/likes?tab=passes">{t('empty.passes')}</LinkButton>
      <LinkButton to="/likes?tab=later" variant="text">
        {t('empty.laters')}
      </LinkButton>
    </div>
  )
  return (
    <Room {...props}>
      <EmptyState figure="cards" text={t('empty.seen_all')} action={act} className="max-w-96" />
    </Room>
  )
}

/** The pool, and what would make it larger. */
function Room({ details, busy, children }: Omit<StateProps, 'onFilter'> & { children: ReactNode }) {
  const filters = filtersOf(details)
  const { data: pool, isPlaceholderData } = usePool()
  const { change, busy: changing } = useChangeFilters(filters)
  return (
    <div className="mx-auto grid w-full max-w-130 justify-items-center gap-6 pb-10">
      {children}
      {pool && (
        <>
          <div className="w-full">
            <PoolMeter pool={pool} measuring={isPlaceholderData} />
          </div>
          <Wideners wideners={pool.wideners} filters={filters} disabled={busy || changing} onWiden={change} centred />
        </>
      )}
    </div>
  )
}
