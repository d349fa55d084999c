import type { Claim } from '@duet/contract/claims.ts'
import { ArrowLeft, Lock, LockOpen } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { regional } from '../../../platform/socket/region.ts'
import { relativeTime } from '../../../platform/time.ts'
import { Button } from '../../../ui/button.tsx'
import { type Case, claimedAt } from './case.ts'
import { KeyButton } from './key-button.tsx'
import { caseKeys } from './keys.ts'
import { SeverityTag } from './severity-tag.tsx'
import type { ClaimState } from './use-claim.ts'

interface CaseFrameProps {
  waiting: Case
  claim: { state: ClaimState; claim: Claim | null; take: () => Promise<void> }
  refusal?: string | undefined
  onBack: () => void
  acts: ReactNode
  children: ReactNode
}

export function CaseFrame({ waiting, claim, refusal, onBack, acts, children }: CaseFrameProps) {
  const { t, i18n } = useTranslation(['moderation', 'common'])
  const { title, person, severity, createdAt } = waiting
  const whole = useRef<HTMLElement>(null)
  const head = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    // Focusing the heading makes screen readers announce the case that opened.
    head.current?.focus({ preventScroll: true })
    const { top = 0 } = whole.current?.getBoundingClientRect() ?? {}
    if (top < 0 || top > window.innerHeight / 3) whole.current?.scrollIntoView()
  }, [])
  return (
    <article ref={whole} className="scroll-mt-[calc(var(--bar)+12px)] rounded-l bg-surface shadow-one">
      <div className="grid gap-3 p-5.5">
        <div className="flex flex-wrap items-center gap-3">
          <Button
            variant="quiet"
            size="s"
            className="@3xl:hidden"
            icon={<ArrowLeft aria-hidden="true" className="mirror size-4.5!" />}
            onClick={onBack}
          >
            {t('queue.back')}
          </Button>
          {severity && <SeverityTag severity={severity} />}
          <time dateTime={createdAt} className="ms-auto text-s text-ink-2">
            {relativeTime(createdAt, new Date(), t, i18n.language)}
          </time>
        </div>
        <h2 ref={head} tabIndex={-1} className="display text-xl wrap-anywhere focus:outline-none">
          {title} <bdi className="font-text text-m font-normal tracking-normal text-ink-2">{person.name}</bdi>
        </h2>
        {refusal ? <p className="text-s font-medium text-warn">{refusal}</p> : <ClaimLine of={waiting} {...claim} />}
      </div>
      {children}
      {!refusal && (
        <div className="flex flex-wrap gap-2 rounded-b-l border-t border-line bg-surface px-5.5 py-4 sm:sticky sm:bottom-0 max-sm:[&>button]:grow">
          {acts}
        </div>
      )}
    </article>
  )
}

function ClaimLine({ of, state, claim, take }: CaseFrameProps['claim'] & { of: Case }) {
  const { t, i18n } = useTranslation(['moderation', 'common'])
  const time = (iso: string) => new Date(iso).toLocaleTimeString(regional(i18n.language), { timeStyle: 'short' })
  if (state === 'mine' && claim)
    return (
      <p role="status" className="flex items-center gap-2 text-s font-medium text-good">
        <Lock aria-hidden="true" className="size-4!" />
        {t('claim.mine', { time: time(claim.until) })}
      </p>
    )
  const words =
    state === 'taken' && of.claim
      ? t('claim.theirs', {
          name: of.claim.by.name,
          since: relativeTime(claimedAt(of.claim), new Date(), t, i18n.language),
        })
      : t(`claim.${state}`)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p role="status" className="text-s font-medium text-warn">
        {words}
      </p>
      <KeyButton
        icon={<LockOpen aria-hidden="true" className="size-4!" />}
        shortcut={caseKeys.claim}
        busy={state === 'asking'}
        onClick={() => void take()}
      >
        {t('claim.take')}
      </KeyButton>
    </div>
  )
}
