import type { Funnel } from '@duet/contract/insights.ts'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useAddress } from '../../platform/address/address.tsx'
import { ProblemError } from '../../platform/problem.ts'
import { relativeTime } from '../../platform/time.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Face } from '../../ui/photo/face.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tag } from '../../ui/tag.tsx'
import { FunnelSteps } from './funnel-steps.tsx'
import { useFunnel } from './insights.api.ts'
import { useNumbers } from './numbers.ts'
import { Panel } from './panel.tsx'

export function FunnelView({ userId }: { userId: string }) {
  const { t } = useTranslation('insights')
  const { search } = useAddress()
  const back = new URLSearchParams({ view: 'people', query: search.get('query') ?? '' })
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
      <Link
        to={`/admin?${back}`}
        className="inline-flex min-h-11 items-center gap-2 justify-self-start rounded-full font-[560] text-ink-2 hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="mirror" />
        {t('people.back')}
      </Link>
      <Loaded userId={userId} />
    </div>
  )
}

function Loaded({ userId }: { userId: string }) {
  const { t } = useTranslation('insights')
  const { data, error, isFetching, refetch } = useFunnel(userId)
  if (data) return <PersonFunnel funnel={data} />
  if (error instanceof ProblemError && error.code === 'not_found')
    return <EmptyState figure="people" text={t('funnel.gone')} />
  if (error) return <ErrorState text={t('funnel.failed')} busy={isFetching} onRetry={() => void refetch()} />
  return (
    <div aria-hidden="true" className="grid gap-6">
      <Skeleton className="h-24 rounded-l" />
      <Skeleton className="h-96 rounded-l" />
    </div>
  )
}

function PersonFunnel({ funnel }: { funnel: Funnel }) {
  const { t } = useTranslation('insights')
  const { whole } = useNumbers()
  const { person, remaining } = funnel
  return (
    <>
      <About funnel={funnel} />
      <Panel title={t('funnel.title', { name: person.name })} hint={t('funnel.hint')}>
        <FunnelSteps funnel={funnel} />
        <p className="mt-6 border-t border-line pt-4 text-l font-[620]">
          {t('funnel.remain', { count: remaining, n: whole(remaining) })}
        </p>
      </Panel>
      <Costs funnel={funnel} />
    </>
  )
}

function About({ funnel: { person, state } }: { funnel: Funnel }) {
  const { t, i18n } = useTranslation(['insights', 'common'])
  const [now] = useState(() => new Date())
  const when = (at: string) => relativeTime(at, now, t, i18n.language)
  return (
    <Card className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Face name={person.name} photo={null} size={52} />
        <div className="min-w-48 flex-1">
          <p className="display truncate text-xl leading-tight">
            <bdi>{person.name}</bdi>
          </p>
        </div>
        <LinkButton to={`/profile/${person.id}`} variant="quiet" size="s">
          {t('people.profile')}
        </LinkButton>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Tag>{t(`funnel.state.${state}`)}</Tag>
        {person.area && <Tag>{person.area}</Tag>}
        <Tag>{t('people.active', { when: when(person.activeAt) })}</Tag>
        <Tag>{t('people.since', { when: when(person.createdAt) })}</Tag>
      </div>
      {state !== 'visible' && <p className="text-warn">{t(`funnel.explain.${state}`)}</p>}
    </Card>
  )
}

function Costs({ funnel: { costliest, steps, everybody } }: { funnel: Funnel }) {
  const { t } = useTranslation('insights')
  const { whole } = useNumbers()
  if (everybody === 0) return null
  const alone = steps.find(({ filter }) => filter === costliest)?.alone ?? 0
  return (
    <Card tone="reason">
      <h2 className="font-[620] text-accent">{t('funnel.costs')}</h2>
      <p className="mt-1 text-pretty">
        {costliest
          ? t('funnel.costliest', { filter: t(`funnel.short.${costliest}`), count: alone, n: whole(alone) })
          : t('funnel.nothingCosts')}
      </p>
    </Card>
  )
}
