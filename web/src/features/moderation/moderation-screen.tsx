import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../platform/address/address.tsx'
import { preloadTexts } from '../../platform/i18n.ts'
import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VerificationReview } from '../verification/verification.tsx'
import { PartLinks } from './part-links.tsx'
import { type AdminPart, adminPartOf } from './parts.ts'
import { PhotoReview } from './photo-review.tsx'
import { SecondFactorGate } from './second-factor/second-factor-gate.tsx'

const insights = () => import('../insights/insights.tsx')
const queue = (load: () => Promise<ComponentType>) =>
  lazily(async () => {
    const [shown] = await Promise.all([load(), preloadTexts('reports', 'profiles', 'standing')])
    return { default: shown }
  })
const figures = () => import('./record/figures-view.tsx')

const views: Record<AdminPart, ComponentType> = {
  overview: lazily(async () => {
    const [{ OverviewView }] = await Promise.all([import('./overview/overview-view.tsx'), preloadTexts('reports')])
    return { default: OverviewView }
  }),
  photos: lazily(async () => ({ default: PhotoReview })),
  reports: queue(async () => (await import('./cases/queues.tsx')).ReportQueue),
  verification: VerificationReview,
  appeals: queue(async () => (await import('./cases/queues.tsx')).AppealQueue),
  review: queue(async () => (await import('./cases/queues.tsx')).ReviewQueue),
  figures: lazily(async () => ({ default: (await figures()).FiguresView })),
  record: lazily(async () => ({ default: (await import('./record/record-view.tsx')).RecordView })),
  insights: lazily(async () => ({ default: (await insights()).PoolView })),
  people: lazily(async () => ({ default: (await insights()).PeopleView })),
  models: lazily(async () => ({ default: (await insights()).ModelsView })),
  settings: lazily(async () => ({
    default: (await import('../operator-settings/operator-settings.tsx')).OperatorSettingsView,
  })),
}

/** The /admin screen, for super administrators who have verified their second factor. */
export default function ModerationScreen() {
  const { search } = useAddress()
  const part = adminPartOf(search.get('view'))
  const { title, lead } = useHeadline(part)
  const View = views[part]
  return (
    <div className="mx-auto flow-root max-w-280">
      <SecondFactorGate>
        <PartLinks now={part} />
        <Page title={title} lead={lead} className="max-w-none">
          <Extra fallback={<Skeleton className="h-72 rounded-l" />}>
            <View />
          </Extra>
        </Page>
      </SecondFactorGate>
    </div>
  )
}

function useHeadline(part: AdminPart): { title: string; lead: string } {
  const { t } = useTranslation(['moderation', 'insights'])
  if (part === 'insights') return { title: t('insights:part.insights'), lead: t('insights:pool.lead') }
  if (part === 'people' || part === 'models' || part === 'settings')
    return { title: t(`insights:part.${part}`), lead: t(`insights:${part}.lead`) }
  return { title: t(`part.${part}`), lead: t(`lead.${part}`) }
}
