import { ChevronRight, LogOut } from 'lucide-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address.tsx'
import { chooseLanguage, languageNames, languages } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session.ts'
import { themes, useTheme } from '../../platform/theme.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { YourDataSection } from '../data-rights/data-rights.tsx'
import { MatchingSettings } from '../matching/matching.tsx'
import { PrivacySettings } from '../privacy/privacy.tsx'
import { OwnReports } from '../reports/reports.tsx'
import { BlockedList } from '../safety/safety.tsx'
import { StandingSection } from '../standing/standing.tsx'
import { VerificationSection } from '../verification/verification.tsx'
import { ReceiptsSwitch } from './receipts-switch.tsx'
import { SessionsList } from './sessions-list.tsx'

/** /settings */
export default function SettingsScreen() {
  const { t } = useTranslation(['accounts', 'entry', 'reports'])
  const signOut = useSession((state) => state.signOut)
  return (
    <Page title={t('settings.title')}>
      <AccountSection />
      <VerificationSection />
      <Section title={t('settings.look')}>
        <LookCard />
      </Section>
      <MatchingSettings />
      <Section title={t('settings.messages')}>
        <Card className="py-3!">
          <ReceiptsSwitch />
        </Card>
      </Section>
      <PrivacySettings />
      <Section title={t('settings.sessions')} hint={t('settings.sessionsHint')}>
        <Card>
          <SessionsList />
        </Card>
      </Section>
      <Section title={t('settings.safety.title')}>
        <Card className="grid divide-y divide-line py-2!">
          <SafetyLinks />
        </Card>
      </Section>
      <Section title={t('settings.blocked')}>
        <Card>
          <BlockedList />
        </Card>
      </Section>
      <StandingSection />
      <Section title={t('reports:own.title')}>
        <Card>
          <Suspense fallback={<Skeleton className="h-11" />}>
            <OwnReports />
          </Suspense>
        </Card>
      </Section>
      <YourDataSection />
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Button variant="quiet" icon={<LogOut aria-hidden="true" className="mirror" />} onClick={() => void signOut()}>
          {t('settings.signOut')}
        </Button>
        <Link to="/terms" className="text-s text-ink-2 underline-offset-4 hover:underline">
          {t('entry:entry.terms')}
        </Link>
      </div>
    </Page>
  )
}

const safetyPages = { centre: '/safety', dates: '/dates' }

function SafetyLinks() {
  const { t } = useTranslation('accounts')
  return (['centre', 'dates'] as const).map((page) => (
    <Link key={page} to={safetyPages[page]} className="flex items-center gap-4 py-3.5 hover:text-accent">
      <span className="min-w-0 flex-1">
        <span className="block font-[580]">{t(`settings.safety.${page}`)}</span>
        <span className="block text-s text-ink-2">{t(`settings.safety.${page}Hint`)}</span>
      </span>
      <ChevronRight aria-hidden="true" className="mirror flex-none text-ink-2" />
    </Link>
  ))
}

function AccountSection() {
  const { t } = useTranslation(['accounts', 'entry'])
  const user = useSession((state) => state.user)
  if (!user) return null
  return (
    <Section title={t('settings.account')}>
      <Card className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1">
          <p dir="auto" className="truncate font-[620] rtl:text-right">
            {user.name}
          </p>
          <p dir="ltr" className="truncate text-s text-ink-2 rtl:text-end">
            {user.email}
          </p>
        </div>
        <LinkButton to={`/profile/${user.id}`} variant="quiet">
          {t('settings.editProfile')}
        </LinkButton>
      </Card>
    </Section>
  )
}

function LookCard() {
  const { t, i18n } = useTranslation(['accounts', 'entry'])
  const { theme, chooseTheme } = useTheme()
  const choose = (value: string) => {
    const language = languages.find((item) => item === value)
    if (language) void chooseLanguage(language)
  }
  return (
    <Card className="grid gap-6">
      <Select
        label={t('settings.language')}
        value={i18n.language}
        options={languages.map((language) => ({ value: language, label: languageNames[language] }))}
        onChange={(event) => choose(event.target.value)}
      />
      <div>
        <p className="mb-1.5 text-s font-[540] text-ink-2">{t('settings.theme')}</p>
        <Segmented
          label={t('settings.theme')}
          value={theme}
          onChange={chooseTheme}
          options={themes.map((value) => ({ value, label: t(`settings.themes.${value}`) }))}
        />
      </div>
    </Card>
  )
}
