import { useTranslation } from 'react-i18next'
import { DataSettings } from '../../features/data-rights/data-rights.tsx'
import { MatchingSettings } from '../../features/matching/matching.tsx'
import { PrivacySettings } from '../../features/privacy/privacy.tsx'
import { VerificationSection } from '../../features/verification/verification.tsx'
import { useSession } from '../../platform/session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Section } from '../../ui/page.tsx'
import { ReceiptsSwitch } from './receipts-switch.tsx'

export function ProfilePart() {
  const { t } = useTranslation('own-settings')
  const id = useSession((state) => state.user?.id)
  return (
    <>
      <Card id="edit-profile" className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3">
        <p className="min-w-0 flex-[1_1_13rem] text-pretty">{t('profileHint')}</p>
        <LinkButton to={`/profile/${id}`} variant="quiet">
          {t('edit')}
        </LinkButton>
      </Card>
      <VerificationSection />
      <MatchingSettings />
    </>
  )
}

export function PrivacyPart() {
  const { t } = useTranslation('own-settings')
  return (
    <>
      <PrivacySettings />
      <Section title={t('receipts.title')}>
        <Card className="py-3!">
          <ReceiptsSwitch />
        </Card>
      </Section>
    </>
  )
}

export function DataPart() {
  return <DataSettings />
}
