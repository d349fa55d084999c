import { ChevronDown, ChevronUp, CircleHelp } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigate, useAddress } from '../../../platform/address/address.tsx'
import { leaveTo } from '../../../platform/address/leave-to.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Case } from './case.ts'
import { CaseRow } from './case-row.tsx'
import { KeyCap } from './key-cap.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { useShortcuts } from './use-shortcuts.ts'

interface Reading {
  isError: boolean
  isFetching: boolean
  refetch: () => unknown
  hasNextPage: boolean
  fetchNextPage: () => unknown
  isFetchingNextPage: boolean
}

interface QueueProps {
  view: 'reports' | 'appeals' | 'review'
  cases: readonly Case[] | undefined
  reading: Reading
  note?: ReactNode
  children: (id: string, onBack: () => void) => ReactNode
}

const addressOf = (view: string, id?: string) => `/admin?view=${view}${id ? `&case=${encodeURIComponent(id)}` : ''}`

export function Queue({ view, cases, reading, note, children }: QueueProps) {
  const { t } = useTranslation('moderation')
  const root = useRef<HTMLDivElement>(null)
  useShortcuts(root)
  if (!cases && reading.isError)
    return <ErrorState text={t('queue.failed')} busy={reading.isFetching} onRetry={() => void reading.refetch()} />
  if (!cases) return <Shapes />
  return (
    <div ref={root} className="@container grid gap-5">
      {note}
      {cases.length === 0 ? (
        <EmptyState figure="rest" text={t(`queue.none.${view}`)} />
      ) : (
        <Columns {...{ view, cases, reading }}>{children}</Columns>
      )}
    </div>
  )
}

function Shapes() {
  return (
    <div className="@container">
      <div className="grid gap-5 @3xl:grid-cols-[280px_minmax(0,1fr)]">
        <Skeleton className="h-72 rounded-l" />
        <Skeleton className="h-96 rounded-l @max-3xl:hidden" />
      </div>
    </div>
  )
}

function Columns({ view, cases, reading, children }: Omit<QueueProps, 'cases'> & { cases: readonly Case[] }) {
  const { t } = useTranslation('moderation')
  const { search } = useAddress()
  const place = cases.findIndex(({ id }) => id === search.get('case'))
  const open = cases[place]
  const choose = (one: Case | undefined) => one && navigate(addressOf(view, one.id), { replace: open !== undefined })
  return (
    <div className="grid items-start gap-5 @3xl:grid-cols-[280px_minmax(0,1fr)]">
      <div className={classNames('grid gap-3 @3xl:sticky @3xl:top-[calc(var(--bar)+16px)]', open && '@max-3xl:hidden')}>
        <Steps
          place={place}
          count={cases.length}
          onPrevious={() => choose(cases[place - 1])}
          onNext={() => choose(cases[place + 1])}
        />
        <ul
          aria-label={t(`queue.list.${view}`)}
          className="divide-y divide-line overflow-hidden rounded-l bg-surface shadow-one @3xl:max-h-[calc(100dvh-var(--bar)-110px)] @3xl:overflow-y-auto"
        >
          {cases.map((one) => (
            <CaseRow key={one.id} waiting={one} open={one === open} onOpen={() => choose(one)} />
          ))}
        </ul>
        {reading.hasNextPage && (
          <Button
            variant="quiet"
            className="mx-auto"
            busy={reading.isFetchingNextPage}
            onClick={() => void reading.fetchNextPage()}
          >
            {t('more')}
          </Button>
        )}
      </div>
      <div className={classNames('min-w-0', !open && '@max-3xl:hidden')}>
        {open ? children(open.id, () => leaveTo(addressOf(view))) : <ChooseOne />}
      </div>
    </div>
  )
}

function ChooseOne() {
  const { t } = useTranslation('moderation')
  return (
    <div className="grid min-h-96 place-items-center">
      <EmptyState figure="cards" text={t('queue.choose')} />
    </div>
  )
}

interface StepsProps {
  place: number
  count: number
  onPrevious: () => void
  onNext: () => void
}

function Steps({ place, count, onPrevious, onNext }: StepsProps) {
  const { t } = useTranslation('moderation')
  const [helping, setHelping] = useState(false)
  const look =
    'flex h-11 items-center gap-1 rounded-full px-2 text-s text-ink-2 hover:bg-sunken hover:text-ink disabled:text-ink-3'
  const buttons = [
    { key: 'K', label: t('queue.previous'), icon: ChevronUp, act: onPrevious, off: place <= 0 },
    { key: 'J', label: t('queue.next'), icon: ChevronDown, act: onNext, off: place >= count - 1 },
    { key: '?', label: t('keys.title'), icon: CircleHelp, act: () => setHelping(true), off: false },
  ]
  return (
    <div className="flex items-center justify-between gap-2">
      <p className="text-s text-ink-2 tabular-nums">
        {place < 0 ? t('queue.count', { count }) : t('queue.place', { place: place + 1, total: count })}
      </p>
      <div className="flex">
        {buttons.map(({ key, label, icon: Icon, act, off }) => (
          <button
            key={key}
            type="button"
            aria-label={label}
            aria-keyshortcuts={key}
            disabled={off}
            onClick={act}
            className={look}
          >
            <Icon aria-hidden="true" className="size-4.5!" />
            <KeyCap>{key}</KeyCap>
          </button>
        ))}
      </div>
      <KeysDialog open={helping} onOpenChange={setHelping} />
    </div>
  )
}
