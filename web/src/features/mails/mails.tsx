import { MailWarning, MailX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { useMailState, useResumeMail, useRetryMail } from './mails.api.ts'

/** Renders nothing if emails arrive. Needs the `mails` texts. */
export function MailNotices() {
  const { data: state } = useMailState()
  return (
    <div role="status" className="grid gap-3 empty:hidden">
      {state?.unreachableSince && <Unreachable since={state.unreachableSince} />}
      {state && state.stopped.length > 0 && <Stopped all={state.stopped.includes('all')} groups={state.stopped} />}
    </div>
  )
}

function Unreachable({ since }: { since: string }) {
  const { t, i18n } = useTranslation('mails')
  const retry = useRetryMail()
  const day = new Date(since).toLocaleDateString(i18n.language, { dateStyle: 'long' })
  return (
    <Notice
      icon={<MailWarning aria-hidden="true" />}
      title={t('unreachable.title')}
      text={t('unreachable.text', { day })}
      failed={retry.isError}
    >
      <Button variant="quiet" size="s" busy={retry.isPending} onClick={() => retry.mutate()}>
        {t('unreachable.retry')}
      </Button>
    </Notice>
  )
}

function Stopped({ all, groups }: { all: boolean; groups: readonly string[] }) {
  const { t, i18n } = useTranslation('mails')
  const resume = useResumeMail()
  const names = groups.map((group) => t(`group.${group}`))
  const listed = new Intl.ListFormat(i18n.language).format(names)
  return (
    <Notice
      icon={<MailX aria-hidden="true" />}
      title={t('stopped.title')}
      text={all ? t('stopped.all') : t('stopped.some', { groups: listed })}
      failed={resume.isError}
    >
      <Button variant="quiet" size="s" busy={resume.isPending} onClick={() => resume.mutate('all')}>
        {t('stopped.resume')}
      </Button>
    </Notice>
  )
}

interface NoticeProps {
  icon: ReactNode
  title: string
  text: string
  failed: boolean
  children: ReactNode
}

function Notice({ icon, title, text, failed, children }: NoticeProps) {
  const { t } = useTranslation('mails')
  return (
    <Card className="flex gap-4">
      <span className="mt-0.5 flex-none text-warn">{icon}</span>
      <div className="min-w-0 flex-1">
        <p className="font-[620]">{title}</p>
        <p className="mt-1 mb-3 text-ink-2 text-pretty">{text}</p>
        {children}
        <FormError>{failed && t('failed')}</FormError>
      </div>
    </Card>
  )
}
