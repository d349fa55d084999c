import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { OwnReports } from '../../features/reports/reports.tsx'
import { BlockedList } from '../../features/safety/safety.tsx'
import { StandingSection } from '../../features/standing/standing.tsx'
import { Link } from '../../platform/address/address.tsx'
import { Card } from '../../ui/card.tsx'
import { Section } from '../../ui/page.tsx'

const pages = [
  { page: 'centre', id: 'help', to: '/safety' },
  { page: 'past', id: 'report-gone', to: '/report' },
  { page: 'dates', id: 'shared-dates', to: '/dates' },
] as const

export function SafetyPart() {
  const { t } = useTranslation(['own-settings', 'reports'])
  return (
    <>
      <Card className="divide-y divide-line py-2!">
        {pages.map(({ page, id, to }) => (
          <Link key={page} id={id} to={to} className="flex items-center gap-4 py-3.5 hover:text-accent">
            <span className="min-w-0 flex-1">
              <span className="block font-[580]">{t(`links.${page}`)}</span>
              <span className="block text-s text-ink-2">{t(`links.${page}Hint`)}</span>
            </span>
            <ChevronRight aria-hidden="true" className="mirror flex-none text-ink-2" />
          </Link>
        ))}
      </Card>
      <Section id="blocked" title={t('blocked')}>
        <Card>
          <BlockedList />
        </Card>
      </Section>
      <Section id="reports" title={t('reports:own.title')}>
        <Card>
          <OwnReports />
        </Card>
      </Section>
      <StandingSection />
    </>
  )
}
