import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useAddress } from '../../platform/address.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { OpenReports } from '../reports/reports.tsx'
import { VerificationReview } from '../verification/verification.tsx'
import { PhotoReview } from './photo-review.tsx'

const insights = () => import('../insights/insights.tsx')
const PoolView = lazy(async () => ({ default: (await insights()).PoolView }))
const PeopleView = lazy(async () => ({ default: (await insights()).PeopleView }))
const ModelsView = lazy(async () => ({ default: (await insights()).ModelsView }))
const SettingsView = lazy(async () => ({
  default: (await import('../operator-settings/operator-settings.tsx')).OperatorSettingsView,
}))

const parts = ['photos', 'reports', 'verification', 'insights', 'people', 'models', 'settings'] as const
type Part = (typeof parts)[number]
const partOf = (view: string | null): Part => parts.find((part) => part === view) ?? 'photos'

/** /admin: what only super administrators see, part by part. */
export default function ModerationScreen() {
  const { t } = useTranslation(['moderation', 'insights'])
  const { search } = useAddress()
  const part = partOf(search.get('view'))
  const title = part === 'photos' ? t('title') : t(`insights:part.${part}`)
  return (
    <div className="mx-auto max-w-280">
      <PartLinks now={part} />
      <Page title={title} lead={leadOf(part, t)} className="max-w-none">
        <Suspense fallback={<Skeleton className="h-72 rounded-l" />}>
          <PartView part={part} />
        </Suspense>
      </Page>
    </div>
  )
}

function leadOf(part: Part, t: ReturnType<typeof useTranslation<['moderation', 'insights']>>['t']): string {
  if (part === 'photos') return t('lead')
  if (part === 'reports') return t('reportsLead')
  if (part === 'verification') return t('verificationLead')
  return part === 'insights' ? t('insights:pool.lead') : t(`insights:${part}.lead`)
}

function PartView({ part }: { part: Part }) {
  if (part === 'photos') return <PhotoReview />
  if (part === 'reports') return <OpenReports />
  if (part === 'verification') return <VerificationReview />
  if (part === 'insights') return <PoolView />
  if (part === 'people') return <PeopleView />
  return part === 'models' ? <ModelsView /> : <SettingsView />
}

/** The parts side by side; on a phone they scroll. */
function PartLinks({ now }: { now: Part }) {
  const { t } = useTranslation('insights')
  return (
    <nav aria-label={t('parts')} className="overflow-x-auto px-4 pt-4 sm:px-8 sm:pt-6">
      <ul className="inline-flex rounded-full bg-sunken p-1">
        {parts.map((part) => (
          <li key={part}>
            <Link
              to={part === 'photos' ? '/admin' : `/admin?view=${part}`}
              aria-current={part === now ? 'page' : undefined}
              className={classNames(
                'relative grid h-9 place-items-center rounded-full px-2.5 text-s font-[560] whitespace-nowrap transition after:absolute after:inset-x-0 after:-inset-y-1 sm:px-4.5 sm:text-[15px]',
                part === now ? 'bg-surface text-ink shadow-[0_1px_3px_rgb(60_40_25/.14)]' : 'text-ink-2 hover:text-ink',
              )}
            >
              {t(`part.${part}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
