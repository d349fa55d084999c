import { ChevronLeft } from 'lucide-react'
import { type FormEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useLeadToWrong } from '../../ui/form/use-lead-to-wrong.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Wordmark } from '../../ui/wordmark.tsx'

export const steps = ['email', 'code', 'name', 'birth', 'who', 'intent', 'place', 'photos', 'prompts'] as const
export type Step = (typeof steps)[number]

interface StepFrameProps {
  step: Step
  title: ReactNode
  lead?: ReactNode
  onBack?: (() => void) | undefined
  onContinue: () => void | Promise<void>
  onSkip?: () => void
  busy?: boolean
  error?: string | undefined
  /** Shown below the button. Explains why we ask and who sees the answer. */
  note?: ReactNode
  children: ReactNode
}

export function StepFrame({
  step,
  title,
  lead,
  onBack,
  onContinue,
  onSkip,
  busy,
  error,
  note,
  children,
}: StepFrameProps) {
  const { t } = useTranslation('accounts')
  const heading = useRef<HTMLHeadingElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const leadToWrong = useLeadToWrong(form)
  useLayoutEffect(() => heading.current?.focus(), [])
  const number = steps.indexOf(step) + 1
  const progress = t('step.progress', { number, total: steps.length })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    await onContinue()
    leadToWrong()
  }
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-115 animate-fade flex-col px-6 pt-6 pb-6 sm:pt-8">
      <div className="-ms-3 flex min-h-11 items-center gap-2">
        {onBack && (
          <IconButton
            label={t('step.back')}
            onClick={onBack}
            icon={<ChevronLeft aria-hidden="true" className="mirror" />}
          />
        )}
        <Link to="/login" aria-label="Duet" className={classNames('grid h-11 place-items-center', !onBack && 'ms-3')}>
          <Wordmark />
        </Link>
        <span className="ms-auto text-s text-ink-2">{progress}</span>
      </div>
      <Progress value={number} max={steps.length} label={progress} className="mt-4.5 mb-10 flex-none sm:mb-12" />
      <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-1 flex-col">
        <h1 ref={heading} tabIndex={-1} className="display text-[38px] wrap-break-word">
          {title}
        </h1>
        {lead && <p className="mt-3 text-ink-2 text-pretty">{lead}</p>}
        <div className="mt-8">{children}</div>
        <div className="mt-auto grid gap-3 pt-8 text-center sm:mt-2">
          {error && (
            <p role="alert" className="text-s font-medium text-bad">
              {error}
            </p>
          )}
          <Button type="submit" size="l" wide busy={busy ?? false}>
            {t('step.continue')}
          </Button>
          {onSkip && (
            <Button variant="text" wide onClick={onSkip}>
              {t('step.later')}
            </Button>
          )}
          {note && (
            <p className="flex items-center justify-center gap-2.5 text-s text-ink-2 [&_.lucide]:size-4.5">{note}</p>
          )}
        </div>
      </form>
    </main>
  )
}
