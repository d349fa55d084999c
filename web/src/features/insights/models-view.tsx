import type { Model } from '@duet/contract/insights.ts'
import { by } from '@duet/contract/order.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { regional } from '../../platform/socket/region.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useModels, useUseModel } from './insights.api.ts'
import { useNumbers } from './numbers.ts'

const known = [
  ...(['decisions', 'logLoss', 'before_logLoss', 'viewerAuc', 'before_viewerAuc'] as const),
  ...(['gain_mean', 'gain_low', 'gain_high', 'gain_decisions', 'gain_viewers'] as const),
]
const isKnown = (name: string): name is (typeof known)[number] => known.some((one) => one === name)

function knownFirst(metrics: Model['metrics']): [string, number][] {
  const named = Object.entries(metrics).map(([name, value]): [string, number] => [name.replace('.', '_'), value])
  const placeOf = (name: string) => (isKnown(name) ? known.indexOf(name) : known.length)
  return named.sort(by(([name]) => placeOf(name)))
}

export function ModelsView() {
  const { t } = useTranslation('insights')
  const { data, isError, isFetching, refetch } = useModels()
  const [asked, setAsked] = useState<number>()
  const change = useUseModel()
  if (!data && isError) return <ErrorState text={t('models.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-64 rounded-l" />
  const use = async (version: number) => {
    await change.mutateAsync(version).then(
      () => toast.success(t('models.done')),
      () => toast.error(t('models.notDone')),
    )
  }
  const words = { n: asked }
  return (
    <>
      {data.models.length === 1 && <p className="text-pretty text-ink-2">{t('models.none')}</p>}
      <ul aria-label={t('models.list')} className="grid gap-4">
        {data.models.map((model) => (
          <ModelCard key={model.version} model={model} onUse={() => setAsked(model.version)} />
        ))}
      </ul>
      <Confirm
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={asked ? t('models.askVersion', words) : t('models.askDefaults')}
        description={t('models.askHint')}
        act={asked ? t('models.useVersion', words) : t('models.useDefaults')}
        onConfirm={() => use(asked ?? 0)}
      />
    </>
  )
}

function ModelCard({ model: { version, trainedAt, active, metrics }, onUse }: { model: Model; onUse: () => void }) {
  const { t, i18n } = useTranslation('insights')
  const { whole, fine } = useNumbers()
  const when =
    trainedAt &&
    new Date(trainedAt).toLocaleString(regional(i18n.language), { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <li className="rounded-l bg-surface px-5.5 py-5 shadow-one">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="display text-l">
            {version === 0 ? t('models.defaults') : t('models.version', { n: version })}
          </h2>
          <p className="mt-0.5 text-s text-ink-2">{when ? t('models.trained', { when }) : t('models.defaultsHint')}</p>
        </div>
        {active ? (
          <span className="inline-flex h-9 items-center gap-2 text-s font-[620] text-good">
            <span aria-hidden="true" className="size-2.5 rounded-full bg-good" />
            {t('models.active')}
          </span>
        ) : (
          <Button
            variant="quiet"
            size="s"
            onClick={onUse}
            aria-label={version === 0 ? t('models.useDefaults') : t('models.useVersion', { n: version })}
          >
            {t('models.use')}
          </Button>
        )}
      </div>
      {Object.keys(metrics).length > 0 && (
        <dl className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-x-6 gap-y-3 border-t border-line pt-4">
          {knownFirst(metrics).map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="truncate text-s text-ink-2" title={name}>
                <bdi>{isKnown(name) ? t(`models.metric.${name}`) : name}</bdi>
              </dt>
              <dd className="font-[620]">{Number.isInteger(value) ? whole(value) : fine(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}
