import type { OwnSanction } from '@duet/contract/sanctions.ts'
import { useTranslation } from 'react-i18next'
import { regional } from '../../platform/socket/region.ts'
import { classNames } from '../../ui/class-names.ts'

export function useDays() {
  const { i18n } = useTranslation()
  return (iso: string) => new Date(iso).toLocaleDateString(regional(i18n.language), { dateStyle: 'long' })
}

const isOver = ({ liftedAt, endsAt }: OwnSanction) =>
  liftedAt !== null || (endsAt !== null && Date.parse(endsAt) <= Date.now())
const lasting = new Set<OwnSanction['kind']>(['restriction', 'suspension', 'ban', 'reporting_restriction'])

export function SanctionStatement({ sanction }: { sanction: OwnSanction }) {
  const { t } = useTranslation('standing')
  const day = useDays()
  const { kind, item, ground, statement, automated, createdAt, endsAt, liftedAt, liftedAs, undelivered } = sanction
  const over = isOver(sanction)
  const isHeld = undelivered && (liftedAs === null || liftedAs === 'ended')
  const effect = kind === 'item_removed' && item ? t(`removed.${item}`) : t(`effect.${kind}`)
  return (
    <div className="grid gap-3">
      <div>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h3 className="display text-l">{t(`kind.${kind}`)}</h3>
          <time dateTime={createdAt} className="text-s text-ink-2">
            {day(createdAt)}
          </time>
        </div>
        <p className="mt-1 text-ink-2 text-pretty">{over ? t(`over.${liftedAs ?? 'ended'}`) : effect}</p>
        {isHeld && <p className="mt-1 text-ink-2 text-pretty">{t('undelivered')}</p>}
      </div>
      <blockquote
        dir="auto"
        className={classNames(
          'border-s-2 ps-3.5 wrap-anywhere whitespace-pre-line',
          over ? 'border-line' : 'border-accent',
        )}
      >
        {statement}
      </blockquote>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-s [&_dt]:text-ink-2">
        <dt>{t('rule')}</dt>
        <dd>{t(`ground.${ground}`)}</dd>
        {lasting.has(kind) && (
          <>
            <dt>{t('until')}</dt>
            <dd>
              {over ? t('ended', { date: day(liftedAt ?? endsAt ?? createdAt) }) : endsAt ? day(endsAt) : t('noEnd')}
            </dd>
          </>
        )}
        <dt>{t('by')}</dt>
        <dd>{t(automated ? 'automated' : 'person')}</dd>
      </dl>
    </div>
  )
}
