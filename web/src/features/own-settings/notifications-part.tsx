import { Bell, type LucideIcon, Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { MailNotices } from '../mails/mails.tsx'
import { PushSettings } from '../push/push.tsx'

const mailed = ['codes', 'notices', 'decisions', 'end'] as const

/** Where news shows, and the little that is ever sent by email. */
export function NotificationsPart() {
  const { t } = useTranslation('own-settings')
  return (
    <>
      <MailNotices />
      <PushSettings>
        <Card className="grid grid-cols-1 divide-y divide-line py-1!">
          <Way id="in-the-app" icon={Bell} title={t('here.title')}>
            <p>{t('here.text')}</p>
          </Way>
          <Way id="by-email" icon={Mail} title={t('email.title')}>
            <p>{t('email.text')}</p>
            <ul className="mt-2 grid list-disc gap-1 ps-5 marker:text-ink-3">
              {mailed.map((what) => (
                <li key={what}>{t(`email.${what}`)}</li>
              ))}
            </ul>
            <p className="mt-2">{t('email.never')}</p>
          </Way>
        </Card>
      </PushSettings>
    </>
  )
}

interface WayProps {
  id: string
  icon: LucideIcon
  title: string
  children: ReactNode
}

function Way({ id, icon: Icon, title, children }: WayProps) {
  return (
    <div id={id} className="flex gap-4 py-4.5">
      <Icon aria-hidden="true" className="mt-0.5 text-ink-2" />
      <div className="min-w-0 flex-1 text-ink-2 text-pretty">
        <h2 className="mb-1 font-[620] text-ink">{title}</h2>
        {children}
      </div>
    </div>
  )
}
