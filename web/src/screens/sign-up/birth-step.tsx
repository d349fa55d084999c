import { digitsOf } from '@duet/contract/digits.ts'
import { Check, CircleAlert, Lock } from 'lucide-react'
import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BirthParts, type BirthVerdict, judgeBirth } from '../../features/accounts/oidc/birth-date.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import type { AccountStepProps } from './account-steps.tsx'
import { StepFrame } from './step-frame.tsx'

interface BirthStepProps extends AccountStepProps {
  busy: boolean
  error: string | undefined
  onRegister: (birthDate: string) => Promise<void>
}

export function BirthStep({ draft, change, onBack, busy, error, onRegister }: BirthStepProps) {
  const { t } = useTranslation('accounts')
  const [tried, setTried] = useState(false)
  const [left, setLeft] = useState(false)
  const verdict = judgeBirth(draft.birth, new Date())
  const next = async () => {
    setTried(true)
    if (verdict.kind === 'adult' && draft.acceptTerms) await onRegister(verdict.isoDate)
  }
  if (tried && verdict.kind === 'young') return <TooYoung onCorrect={() => setTried(false)} />
  const leaveFields = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setLeft(true)
  }
  return (
    <StepFrame
      step="birth"
      title={t('birth.title', { name: draft.name.trim() })}
      lead={t('birth.lead')}
      onBack={onBack}
      onContinue={next}
      busy={busy}
      error={error}
      note={
        <>
          <Lock aria-hidden="true" />
          {t('birth.note')}
        </>
      }
    >
      <fieldset onBlur={leaveFields}>
        <legend className="sr-only">{t('birth.legend')}</legend>
        <BirthFields
          birth={draft.birth}
          wrong={tried && verdict.kind !== 'adult'}
          onChange={(birth) => change({ birth })}
        />
      </fieldset>
      <Verdict verdict={verdict} tried={tried} left={left} />
      <Checkbox
        className="mt-6"
        checked={draft.acceptTerms}
        onChange={(event) => change({ acceptTerms: event.target.checked })}
        error={tried && !draft.acceptTerms ? t('birth.termsMissing') : undefined}
        label={
          <LinkedText
            text={t('birth.terms')}
            link={(words) => (
              <a href="/terms" target="_blank" className="text-accent underline underline-offset-4" rel="noopener">
                {words}
              </a>
            )}
          />
        }
      />
    </StepFrame>
  )
}

const parts = [
  { part: 'day', length: 2, autoComplete: 'bday-day' },
  { part: 'month', length: 2, autoComplete: 'bday-month' },
  { part: 'year', length: 4, autoComplete: 'bday-year' },
] as const

function BirthFields({
  birth,
  wrong,
  onChange,
}: {
  birth: BirthParts
  wrong: boolean
  onChange: (birth: BirthParts) => void
}) {
  const { t } = useTranslation('accounts')
  return (
    <div className="grid grid-cols-[1fr_1fr_1.4fr] gap-3">
      {parts.map(({ part, length, autoComplete }) => (
        <Field
          key={part}
          size="l"
          label={t(`birth.${part}`)}
          inputMode="numeric"
          autoComplete={autoComplete}
          value={birth[part]}
          className={wrong ? 'border-bad' : ''}
          onChange={(event) => onChange({ ...birth, [part]: digitsOf(event.target.value).slice(0, length) })}
        />
      ))}
    </div>
  )
}

function Verdict({ verdict, tried, left }: { verdict: BirthVerdict; tried: boolean; left: boolean }) {
  const { t } = useTranslation('accounts')
  const isWrong = verdict.kind === 'wrong' || (verdict.kind === 'unfinished' && (tried || left))
  return (
    <p role="status" className="mt-4 flex min-h-6 items-center gap-2.5 text-s">
      {verdict.kind === 'adult' && (
        <span className="flex items-center gap-2.5 text-good">
          <Check aria-hidden="true" />
          {t('birth.age', { count: verdict.age })}
        </span>
      )}
      {isWrong && (
        <span className="flex items-center gap-2 font-medium text-bad">
          <CircleAlert aria-hidden="true" className="size-4.5" />
          {t('birth.wrong')}
        </span>
      )}
    </p>
  )
}

function TooYoung({ onCorrect }: { onCorrect: () => void }) {
  const { t } = useTranslation('accounts')
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <main className="mx-auto flex min-h-dvh max-w-115 flex-col justify-center gap-5 px-6">
      <h1 ref={heading} tabIndex={-1} className="display text-[38px]">
        {t('young.title')}
      </h1>
      <p className="text-ink-2">{t('young.text')}</p>
      <Button variant="text" className="-ms-5 justify-self-start self-start" onClick={onCorrect}>
        {t('young.correct')}
      </Button>
    </main>
  )
}
