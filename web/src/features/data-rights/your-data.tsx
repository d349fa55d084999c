import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { Section } from '../../ui/page.tsx'
import { ConsentSwitches } from './consent-switches.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { ExportCard } from './export-card.tsx'

/** The part of the settings about everything that is kept of somebody. */
export function YourData() {
  const { t } = useTranslation('data-rights')
  return (
    <Section title={t('title')} hint={t('hint')}>
      <div className="grid gap-4">
        <Card>
          <ExportCard />
        </Card>
        <Card>
          <ConsentSwitches />
        </Card>
        <Card>
          <DeleteAccount />
        </Card>
      </div>
    </Section>
  )
}
