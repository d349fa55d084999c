import type { Action, Ground, ItemKind } from '@duet/contract/sanctions.ts'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { KeyCap } from './key-cap.tsx'
import { caseKeys } from './keys.ts'

const DecisionSheet = lazy(async () => ({ default: (await import('./decision-sheet.tsx')).DecisionSheet }))

/** What a decision is about. */
export interface DecidedCase {
  id: string
  person: { id: string; name: string }
  /** What they read Duet in. */
  language: string
  ground: Ground
  suggested: Action
  /** What was reported; a review is about the account as a whole. */
  subject: ItemKind | 'account'
  /** When the reported message was sent. */
  said?: string | undefined
  /** How many other open reports there are of the same thing. */
  sameSubject: number
}

interface DecideActsProps {
  kind: 'report' | 'review'
  about: DecidedCase
  actions: readonly Action[]
  disabled: boolean
}

/** What may be decided, each with its key; what is suggested is marked, and chosen by nobody else. */
export function DecideActs({ kind, about, actions, disabled }: DecideActsProps) {
  const { t } = useTranslation('moderation')
  const [action, setAction] = useState<Action>()
  return (
    <>
      {actions.map((one) => (
        <Button
          key={one}
          variant="quiet"
          size="s"
          disabled={disabled}
          aria-keyshortcuts={caseKeys[one]}
          aria-describedby={one === about.suggested ? 'suggested' : undefined}
          onClick={() => setAction(one)}
          className={classNames(
            'gap-1.5! px-3!',
            one === 'ban' && 'text-bad!',
            one === about.suggested && 'inset-ring-[1.5px] inset-ring-ink',
          )}
        >
          {t(`action.${one}`)}
          <KeyCap>{caseKeys[one]}</KeyCap>
        </Button>
      ))}
      <p id="suggested" className="basis-full text-s text-ink-2">
        {t('case.suggested', { action: t(`action.${about.suggested}`) })}
      </p>
      {action && (
        <Suspense fallback={null}>
          <DecisionSheet {...{ kind, about, action }} onClose={() => setAction(undefined)} />
        </Suspense>
      )}
    </>
  )
}
