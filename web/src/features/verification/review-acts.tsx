import type { VerificationReason } from '@duet/contract/verification.ts'
import { Check, X } from 'lucide-react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import type { VerificationDecision } from './verification.api.ts'

const reasons: readonly VerificationReason[] = ['not_same', 'wrong_pose', 'unclear', 'not_alone', 'other']

interface ReviewActsProps {
  name: string
  /** False until the reviewer has viewed the selfie; until then, no decision is possible. */
  looked: boolean
  doing: VerificationDecision['decision'] | undefined
  onDecide: (decision: VerificationDecision) => void
}

export function ReviewActs({ name, looked, doing, onDecide }: ReviewActsProps) {
  const { t } = useTranslation('verification')
  const hint = useId()
  const [asking, setAsking] = useState(false)
  if (asking && looked) {
    return (
      <Reasons
        name={name}
        busy={doing === 'rejected'}
        onChoose={(reason) => onDecide({ decision: 'rejected', reason })}
        onCancel={() => setAsking(false)}
      />
    )
  }
  const common = { disabled: !looked, 'aria-describedby': looked ? undefined : hint, className: 'gap-1.5 px-2' }
  return (
    <div className="grid grid-cols-2 gap-2">
      <Button
        {...common}
        variant="quiet"
        icon={<Check aria-hidden="true" />}
        aria-keyshortcuts="A"
        busy={doing === 'approved'}
        onClick={() => onDecide({ decision: 'approved' })}
      >
        {t('admin.approve')}
      </Button>
      <Button
        {...common}
        variant="danger"
        icon={<X aria-hidden="true" />}
        aria-keyshortcuts="R"
        onClick={() => setAsking(true)}
      >
        {t('admin.reject')}
      </Button>
      {!looked && (
        <p id={hint} className="col-span-2 text-s text-ink-2">
          {t('admin.lookFirst')}
        </p>
      )}
    </div>
  )
}

interface ReasonsProps {
  name: string
  busy: boolean
  onChoose: (reason: VerificationReason) => void
  onCancel: () => void
}

function Reasons({ name, busy, onChoose, onCancel }: ReasonsProps) {
  const { t } = useTranslation('verification')
  const title = useId()
  const first = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => first.current?.focus(), [])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and these are buttons
    <div role="group" aria-labelledby={title} className="grid gap-2">
      <p id={title} className="font-[620]">
        {t('admin.why')}
      </p>
      <p className="-mt-1 mb-1 text-s text-ink-2">{t('admin.whyHint', { name })}</p>
      {reasons.map((reason, index) => (
        <Button
          key={reason}
          ref={index === 0 ? first : undefined}
          variant="quiet"
          disabled={busy}
          aria-keyshortcuts={String(index + 1)}
          onClick={() => onChoose(reason)}
          className="justify-start!"
        >
          <span aria-hidden="true" className="text-ink-2">
            {index + 1}
          </span>
          {t(`admin.reasons.${reason}`)}
        </Button>
      ))}
      <Button variant="text" onClick={onCancel}>
        {t('admin.cancel')}
      </Button>
    </div>
  )
}
