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

/** The form is reset each time the dialog opens and for each person. */
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
    // Don't leave earlier, because the screen below would change while the person reads the receipt.
    leave(outcome)
  }
  // If the dialog was closed in the meantime, show the result as a toast.
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
  // A single dialog for both steps, so that it can restore the focus to where it was before.
  return <Dialog open={open} onOpenChange={close} {...(sent ?? asking)} />
}
