import { useTranslation } from 'react-i18next'
import { MailNotices } from '../../features/mails/mails.tsx'
import { PushSettings } from '../../features/push/push.tsx'
import { Card } from '../../ui/card.tsx'
import { Section } from '../../ui/page.tsx'

const mailed = ['codes', 'notices', 'checkIns', 'decisions', 'end'] as const

export function NotificationsPart() {
  const { t } = useTranslation('own-settings')
  return (
    <>
      <MailNotices />
      <PushSettings>
        <Section id="by-email" title={t('email.title')}>
          <Card className="text-ink-2 text-pretty">
            <p>{t('email.text')}</p>
            <ul className="mt-2 grid list-disc gap-1 ps-5 marker:text-ink-3">
              {mailed.map((what) => (
                <li key={what}>{t(`email.${what}`)}</li>
              ))}
            </ul>
            <p className="mt-2">{t('email.never')}</p>
          </Card>
        </Section>
      </PushSettings>
    </>
  )
}
