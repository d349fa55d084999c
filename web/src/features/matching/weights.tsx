import type { MatchingRules } from '@duet/contract/matching.ts'
import { by } from '@duet/contract/order.ts'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { regional } from '../../platform/socket/region.ts'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'

export function Weights({ rules: { features, modelVersion, trainedAt } }: { rules: MatchingRules }) {
  const { t, i18n } = useTranslation('matching')
  const most = Math.max(...features.map(({ weight }) => Math.abs(weight)), Number.EPSILON)
  const sorted = features.toSorted(by(({ weight }) => -Math.abs(weight)))
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 2, signDisplay: 'exceptZero' })
  const date =
    trainedAt && new Intl.DateTimeFormat(regional(i18n.language), { dateStyle: 'long' }).format(new Date(trainedAt))
  const version = new Intl.NumberFormat(i18n.language).format(modelVersion)
  return (
    <Card className="mt-5">
      <h3 className="font-[620]">{t('weights.title')}</h3>
      <p className="mt-1 text-s text-ink-2 text-pretty">
        {modelVersion > 0 && date ? t('weights.learned', { version, date }) : t('weights.byHand')}
      </p>
      <dl className="mt-5 grid gap-3.5">
        {sorted.map(({ name, weight }) => (
          <Weight key={name} name={name} share={weight / most} text={number.format(weight)} />
        ))}
      </dl>
      <p className="mt-5 flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-2">
        <span className="flex items-center gap-2 before:h-1.5 before:w-5 before:rounded-full before:bg-accent">
          {t('weights.raises')}
        </span>
        <span className="flex items-center gap-2 before:h-1.5 before:w-5 before:rounded-full before:bg-ink-3">
          {t('weights.lowers')}
        </span>
      </p>
    </Card>
  )
}

function Weight({ name, share, text }: { name: string; share: number; text: string }) {
  const { t, i18n } = useTranslation('matching')
  const key = `feature.${name.replaceAll('.', '_')}`
  // The bar is a pseudo-element, because a group in a `dl` may contain only terms and descriptions.
  const bar =
    'before:absolute before:inset-x-0 before:bottom-0 before:h-1.5 before:rounded-full before:bg-sunken after:absolute after:start-0 after:bottom-0 after:h-1.5 after:w-(--share) after:min-w-1.5 after:rounded-full'
  return (
    <div
      className={classNames(
        'relative flex items-baseline justify-between gap-4 pb-3 text-[15px]',
        bar,
        share >= 0 ? 'after:bg-accent' : 'after:bg-ink-3',
      )}
      style={{ '--share': `${Math.abs(share) * 100}%` } as CSSProperties}
    >
      <dt>{i18n.exists(key, { ns: 'matching' }) ? t(key) : name}</dt>
      <dd className="font-[580]" dir="ltr">
        {text}
      </dd>
    </div>
  )
}
