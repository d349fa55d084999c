import type { SecondFactor } from '@duet/contract/second-factor.ts'
import { ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Extra } from '../../../ui/boundary.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useAskAgain, useSecondFactor } from './second-factor.api.ts'

const Setup = lazily(async () => ({ default: (await import('./second-factor-setup.tsx')).SecondFactorSetup }))
const Prompt = lazily(async () => ({ default: (await import('./second-factor-prompt.tsx')).SecondFactorPrompt }))

function stepOf({ enrolled, required, verifiedUntil }: SecondFactor): 'setup' | 'prompt' | 'open' {
  if (!enrolled) return required ? 'setup' : 'open'
  return verifiedUntil !== null && Date.parse(verifiedUntil) > Date.now() ? 'open' : 'prompt'
}

export function SecondFactorGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation('moderation')
  const { data, isError, isFetching, refetch } = useSecondFactor()
  const [wanted, setWanted] = useState(false)
  useAskAgain()
  if (!data && isError) return <ErrorState text={t('factor.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="mx-4 mt-6 h-72 rounded-l sm:mx-8" />
  const step = stepOf(data)
  if (step === 'prompt')
    return (
      <Extra>
        <Prompt hasPasskey={data.hasPasskey} />
      </Extra>
    )
  if (step === 'setup' || wanted)
    return (
      <Extra>
        <Setup onLeave={step === 'setup' ? undefined : () => setWanted(false)} />
      </Extra>
    )
  return (
    <>
      {!data.enrolled && <Advice onSetUp={() => setWanted(true)} />}
      {children}
    </>
  )
}

function Advice({ onSetUp }: { onSetUp: () => void }) {
  const { t } = useTranslation('moderation')
  return (
    <div className="mx-4 mt-4 flex flex-wrap items-center gap-x-4 rounded-l bg-accent-soft px-5 py-3 sm:mx-8">
      <ShieldCheck aria-hidden="true" className="text-accent max-sm:self-start" />
      <p className="min-w-52 flex-1 text-s text-pretty">{t('factor.advice')}</p>
      <Button variant="text" size="s" className="max-sm:ms-6" onClick={onSetUp}>
        {t('factor.setUp')}
      </Button>
    </div>
  )
}
