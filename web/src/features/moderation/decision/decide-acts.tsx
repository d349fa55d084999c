import type { Action } from '@duet/contract/sanctions.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Extra } from '../../../ui/boundary.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { lazily } from '../../../ui/lazily.tsx'
import { KeyButton } from '../cases/key-button.tsx'
import { caseKeys } from '../cases/keys.ts'
import type { DecidedCase } from './decided-case.ts'

const DecisionSheet = lazily(async () => ({ default: (await import('./decision-sheet.tsx')).DecisionSheet }))

interface DecideActsProps {
  kind: 'report' | 'review'
  about: DecidedCase
  actions: readonly Action[]
  disabled: boolean
}

export function DecideActs({ kind, about, actions, disabled }: DecideActsProps) {
  const { t } = useTranslation('moderation')
  const [action, setAction] = useState<Action>()
  return (
    <>
      {actions.map((one) => (
        <KeyButton
          key={one}
          disabled={disabled}
          shortcut={caseKeys[one]}
          aria-describedby={one === about.suggested ? 'suggested' : undefined}
          onClick={() => setAction(one)}
          className={classNames(
            'gap-1.5! px-3!',
            one === 'ban' && 'text-bad!',
            one === about.suggested && 'inset-ring-[1.5px] inset-ring-ink',
          )}
        >
          {t(`action.${one}`)}
        </KeyButton>
      ))}
      <p id="suggested" className="basis-full text-s text-ink-2">
        {t('case.suggested', { action: t(`action.${about.suggested}`) })}
      </p>
      {action && (
        <Extra onFail={() => setAction(undefined)}>
          <DecisionSheet {...{ kind, about, action }} onClose={() => setAction(undefined)} />
        </Extra>
      )}
    </>
  )
}
