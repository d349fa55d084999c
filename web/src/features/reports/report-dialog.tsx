import type { ReportSubject } from '@duet/contract/reports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { forgetBlocked } from '../safety/safety.tsx'
import { useReportForm } from './report-form.tsx'
import type { ReportRequest } from './report-store.ts'
import { Sent } from './sent.tsx'

interface ReportDialogProps extends ReportRequest {
  open: boolean
  onClose: () => void
}

/** The report dialog. It starts fresh for each person, and each time it opens. */
export function ReportDialog(props: ReportDialogProps) {
  const { open, userId, subject } = props
  const [times, setTimes] = useState(0)
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setTimes(times + 1)
  }
  return (
    <Suspense fallback={null}>
      <Asking key={`${userId} ${JSON.stringify(subject)} ${times}`} {...props} />
    </Suspense>
  )
}

interface Outcome {
  receipt: string
  blocked: boolean
}

const titles: Record<ReportSubject['kind'], 'titleProfile' | 'titlePhoto' | 'titleMessage'> = {
  profile: 'titleProfile',
  photo: 'titlePhoto',
  message: 'titleMessage',
}

function Asking({ open, onClose, userId, name, subject, isGone, onBlocked }: ReportDialogProps) {
  const { t } = useTranslation('reports')
  const queryClient = useQueryClient()
  const [outcome, setOutcome] = useState<Outcome>()
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = open
    return () => {
      isOpen.current = false
    }
  }, [open])
  const leave = (told: Outcome | undefined) => {
    if (!told?.blocked) return
    forgetBlocked(queryClient, userId)
    onBlocked?.()
  }
  const close = () => {
    onClose()
    // Not earlier, because the screen below would disappear while the receipt is being read.
    leave(outcome)
  }
  // The result is shown even if the dialog was closed meanwhile.
  const onSent = (told: Outcome) => {
    if (isOpen.current) return setOutcome(told)
    toast.success(t('sent.title'))
    leave(told)
  }
  const onRefused = (words: string) => {
    if (!isOpen.current) toast.error(words)
  }
  const form = useReportForm({ userId, name, subject, onSent, onRefused })
  const asking = {
    title: t(titles[subject.kind], { name }),
    description: t(`copies.${isGone ? 'past' : subject.kind}`, { name }),
    foot: form.foot,
    children: form.body,
  }
  const done = (
    <Button wide size="l" onClick={close}>
      {t('sent.done')}
    </Button>
  )
  const sent = outcome && { title: t('sent.title'), foot: done, children: <Sent {...{ name, isGone }} {...outcome} /> }
  // One dialog for both steps, because it remembers where the focus was.
  return <Dialog open={open} onOpenChange={close} {...(sent ?? asking)} />
}
