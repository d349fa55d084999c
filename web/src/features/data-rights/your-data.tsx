import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { Section } from '../../ui/page.tsx'
import { ConsentSwitches } from './consent-switches.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { ExportCard } from './export-card.tsx'

export function YourData() {
  const { t } = useTranslation('data-rights')
  return (
    <Section title={t('title')} hint={t('hint')}>
      <DataCards heading="h3" />
    </Section>
  )
}

export function DataCards({ heading }: { heading: 'h2' | 'h3' }) {
  return (
    <div className="grid gap-4">
      <Card id="export">
        <ExportCard heading={heading} />
      </Card>
      <Card>
        <ConsentSwitches heading={heading} />
      </Card>
      <Card id="delete">
        <DeleteAccount heading={heading} />
      </Card>
    </div>
  )
}
