import { limits } from '@duet/contract/limits.ts'
import type { ReportReason } from '@duet/contract/reports.ts'
import { excessOf } from '@duet/contract/written-text.ts'
import { Flag, LifeBuoy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { ReasonList } from './reason-list.tsx'
import type { ReportRequest } from './report-store.ts'
import { useSendReport } from './reports.api.ts'

interface ReportFormProps extends Omit<ReportRequest, 'onBlocked' | 'isGone'> {
  onSent: (outcome: { receipt: string; blocked: boolean }) => void
  onRefused: (words: string) => void
}

export function useReportForm({ userId, name, subject, onSent, onRefused }: ReportFormProps): {
  body: ReactNode
  foot: ReactNode
} {
  const { t } = useTranslation('reports')
  const [reason, setReason] = useState<ReportReason>()
  const [details, setDetails] = useState('')
  const [block, setBlock] = useState(true)
  const { mutateAsync, isPending, error } = useSendReport()
  const words = (why: unknown) => t(`problem.${problemOf(problemCode(why))}`)
  const send = async () => {
    if (!reason) return
    await mutateAsync({ userId, subject, reason, details, block }).then(
      ({ receipt }) => onSent({ receipt, blocked: block }),
      (why: unknown) => onRefused(words(why)),
    )
  }
  const body = (
    <div className="grid gap-5">
      <ReasonList chosen={reason} onChoose={setReason} />
      <TextArea
        label={t('details')}
        value={details}
        maxLength={limits.reportDetailsLength}
        onChange={(event) => setDetails(event.target.value)}
      />
    </div>
  )
  const foot = (
    <div className="grid w-full gap-3">
      <Advice reason={reason} />
      <Switch label={t('block', { name })} hint={t('blockHint')} checked={block} onChange={setBlock} />
      <FormError>{error && words(error)}</FormError>
      <Button
        size="l"
        wide
        icon={<Flag aria-hidden="true" />}
        disabled={!reason || excessOf(details, limits.reportDetailsLength) > 0}
        busy={isPending}
        onClick={() => void send()}
      >
        {t('send')}
      </Button>
    </div>
  )
  return { body, foot }
}

const known = ['not_found', 'rate_limited', 'validation_failed', 'offline'] as const
const problemOf = (code: string) => known.find((one) => one === code) ?? 'other'

const advice: Partial<Record<ReportReason, 'danger' | 'sextortion' | 'scam'>> = {
  threats: 'danger',
  offline_harm: 'danger',
  sextortion: 'sextortion',
  scam: 'scam',
}

function Advice({ reason }: { reason: ReportReason | undefined }) {
  const { t } = useTranslation('reports')
  const kind = reason && advice[reason]
  return (
    <div role="status" className="empty:hidden">
      {kind && (
        <p className="flex animate-fade gap-3 rounded-m bg-sunken px-4 py-3 text-s">
          <LifeBuoy aria-hidden="true" className="size-5 flex-none text-ink-2" />
          {t(`advice.${kind}`)}
        </p>
      )}
    </div>
  )
}
