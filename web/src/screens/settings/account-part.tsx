import { LogOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AccessSection, SessionsList } from '../../features/accounts/accounts.ts'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Section } from '../../ui/page.tsx'
import { YouCard } from './you.tsx'

export function AccountPart() {
  const { t } = useTranslation('accounts')
  return (
    <>
      <YouCard />
      <AccessSection>
        <Section id="devices" title={t('settings.sessions')} hint={t('settings.sessionsHint')}>
          <Card>
            <SessionsList />
          </Card>
        </Section>
        <div>
          <SignOut id="sign-out" />
        </div>
      </AccessSection>
    </>
  )
}

export function SignOut({ id }: { id?: string }) {
  const { t } = useTranslation('accounts')
  const signOut = useSession((state) => state.signOut)
  return (
    <Button
      id={id}
      variant="quiet"
      icon={<LogOut aria-hidden="true" className="mirror size-5!" />}
      onClick={() => void signOut()}
    >
      {t('settings.signOut')}
    </Button>
  )
}
