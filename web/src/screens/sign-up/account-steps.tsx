import type { Session } from '@duet/contract/accounts.ts'
import { limits } from '@duet/contract/limits.ts'
import { asLine, excessOf, isVisible } from '@duet/contract/written-text.ts'
import { Lock } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { useCodeMail } from '../../features/accounts/entry/code-mail.ts'
import type { SignUpDraft } from '../../features/accounts/oidc/draft.ts'
import { codeDigits, problemWords } from '../../features/accounts/problem-words.ts'
import { Link } from '../../platform/address/address.tsx'
import { call } from '../../platform/call.ts'
import { isDemo } from '../../platform/demo.ts'
import { problemCode } from '../../platform/problem.ts'
import { Button } from '../../ui/button.tsx'
import { emailWords } from '../../ui/form/email-words.ts'
import { Field } from '../../ui/form/field.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { StepFrame } from './step-frame.tsx'

export interface AccountStepProps {
  draft: SignUpDraft
  change: (changes: Partial<SignUpDraft>) => void
  onBack?: () => void
  onNext: () => void
  /** The server's error that sent the person back to this step. */
  refusal?: ReactNode
  codeMail: ReturnType<typeof useCodeMail>
}

const inlineLink = 'font-[620] text-accent underline underline-offset-4'

export function EmailStep({ draft, change, onNext, refusal, codeMail }: AccountStepProps) {
  const { t } = useTranslation(['accounts', 'entry'])
  const [error, setError] = useState<string>()
  const check = () => setError(emailWords(draft.email, t))
  const next = async () => {
    check()
    if (emailWords(draft.email, t)) return
    // If a code was already sent, don't send another. People can request one in the code step.
    if (codeMail.isOut(draft.email)) return onNext()
    try {
      await codeMail.send(draft.email)
      // A new code invalidates any earlier one.
      change({ code: '' })
      onNext()
    } catch (problem) {
      setError(problemWords(problem, t))
    }
  }
  return (
    <StepFrame step="email" title={t('email.title')} lead={t('email.lead')} onContinue={next} busy={codeMail.busy}>
      <Field
        size="l"
        label={t('entry:login.email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        value={draft.email}
        error={error}
        onChange={(event) => change({ email: event.target.value })}
        onBlur={() => draft.email && check()}
      />
      {refusal}
      <p className="mt-6 text-s text-ink-2">
        <LinkedText
          text={t('email.haveAccount')}
          link={(words) => (
            <Link to="/login" className={inlineLink}>
              {words}
            </Link>
          )}
        />
      </p>
    </StepFrame>
  )
}

interface CodeStepProps extends AccountStepProps {
  /** Called if the code is correct and the address already has an account. That account is then signed in. */
  onKnown: (session: Session) => void
}

export function CodeStep({ draft, change, onBack, onNext, onKnown, refusal, codeMail }: CodeStepProps) {
  const { t } = useTranslation(['accounts', 'entry'])
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const next = async () => {
    if (draft.code.length < 8) return setError(t('entry:login.codeShort'))
    if (draft.isProven) return onNext()
    setError(undefined)
    setBusy(true)
    const body = { email: draft.email.trim(), otp: draft.code }
    try {
      const { hasAccount } = await call('POST /api/user/verifyOtp', { body })
      if (hasAccount) return onKnown(await call('POST /api/user/authenticate', { body }))
      change({ isProven: true })
      onNext()
    } catch (problem) {
      setError(problemCode(problem) === 'invalid_credentials' ? t('entry:login.codeWrong') : problemWords(problem, t))
    } finally {
      setBusy(false)
    }
  }
  const again = () => codeMail.send(draft.email).catch((problem: unknown) => setError(problemWords(problem, t)))
  const waiting = codeMail.waitSeconds > 0
  return (
    <StepFrame
      step="code"
      title={t('code.title')}
      lead={t('code.lead', { email: draft.email })}
      onBack={onBack}
      onContinue={next}
      busy={busy}
    >
      <Field
        size="l"
        label={t('entry:login.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={draft.code}
        error={error}
        onChange={(event) => {
          change({ code: codeDigits(event.target.value) })
          setError(undefined)
        }}
        className="tracking-[.2em]"
      />
      {refusal}
      <Button variant="text" className="-ms-5 mt-3" disabled={waiting} busy={codeMail.busy} onClick={again}>
        {waiting ? t('entry:login.sendAgainIn', { seconds: codeMail.waitSeconds }) : t('entry:login.sendAgain')}
      </Button>
      {isDemo() && (
        <a href="/dev/mail" target="_blank" rel="noreferrer" className="flex h-11 items-center text-s text-accent">
          {t('entry:entry.demoMail')}
        </a>
      )}
    </StepFrame>
  )
}

export function NameStep({ draft, change, onBack, onNext }: AccountStepProps) {
  const { t } = useTranslation(['accounts', 'entry'])
  const [error, setError] = useState<string>()
  const check = () => setError(isVisible(draft.name) ? undefined : t('name.missing'))
  const next = () => {
    check()
    if (isVisible(draft.name) && excessOf(draft.name, limits.nameLength, asLine) === 0) onNext()
  }
  return (
    <StepFrame
      step="name"
      title={t('name.title')}
      lead={t('name.lead')}
      onBack={onBack}
      onContinue={next}
      note={
        <>
          <Lock aria-hidden="true" />
          {t('name.note')}
        </>
      }
    >
      <Field
        size="l"
        label={t('name.label')}
        autoComplete="given-name"
        maxLength={limits.nameLength}
        value={draft.name}
        error={error}
        onChange={(event) => change({ name: event.target.value })}
        onBlur={check}
      />
    </StepFrame>
  )
}
