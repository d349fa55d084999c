import type { MyDetails, ProfileChanges } from '@duet/contract/profiles.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DoneStep } from './done-step.tsx'
import { PhotosStep } from './photos-step.tsx'
import { PlaceStep } from './place-step.tsx'
import { problemWords } from './problem-words.ts'
import { PromptsStep } from './prompts-step.tsx'
import { IntentStep, WhoStep } from './who-steps.tsx'

export interface ProfileStepProps {
  details: MyDetails
  /** Keeps what the server answered. */
  onChange: (details: MyDetails) => void
  onNext: () => void
  onBack?: () => void
}

const profileSteps = ['who', 'intent', 'place', 'photos', 'prompts', 'done'] as const
type ProfileStep = (typeof profileSteps)[number]

/** The first question that has no answer yet. */
function firstGap(details: MyDetails): ProfileStep {
  if (!details.gender || details.interestedIn.length === 0) return 'who'
  if (details.intents.length === 0) return 'intent'
  if (!details.area) return 'place'
  if (details.photos.length === 0) return 'photos'
  return details.prompts.length === 0 ? 'prompts' : 'done'
}

/** The questions after the account exists. Each may wait; coming back goes on at the first gap. */
export function ProfileSteps() {
  const { t } = useTranslation(['accounts', 'entry'])
  const [details, setDetails] = useState<MyDetails>()
  const [problem, setProblem] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    const stop = new AbortController()
    setProblem(undefined)
    call('GET /api/user/myDetails', { signal: stop.signal }).then(setDetails, (error: unknown) => {
      if (!stop.signal.aborted) setProblem(error)
    })
    return () => stop.abort()
  }, [attempt])
  if (details) return <Questions first={firstGap(details)} {...{ details }} onChange={setDetails} />
  if (problem) return <ErrorState text={problemWords(problem, t)} onRetry={() => setAttempt(attempt + 1)} />
  return (
    <main aria-busy="true" className="mx-auto grid max-w-115 gap-6 px-6 pt-24">
      <Skeleton className="h-12" />
      <Skeleton className="h-40" />
    </main>
  )
}

interface QuestionsProps {
  first: ProfileStep
  details: MyDetails
  onChange: (details: MyDetails) => void
}

function Questions({ first, details, onChange }: QuestionsProps) {
  const [step, setStep] = useState(first)
  const move = (by: 1 | -1) => setStep((from) => profileSteps[profileSteps.indexOf(from) + by] ?? from)
  const keep = (next: MyDetails) => {
    onChange(next)
    useSession.getState().amend({ images: next.images, onboardingComplete: next.onboardingComplete })
  }
  const props: ProfileStepProps = { details, onChange: keep, onNext: () => move(1), onBack: () => move(-1) }
  if (step === 'who') return <WhoStep details={details} onChange={keep} onNext={() => move(1)} />
  if (step === 'intent') return <IntentStep {...props} />
  if (step === 'place') return <PlaceStep {...props} />
  if (step === 'photos') return <PhotosStep {...props} />
  if (step === 'prompts') return <PromptsStep {...props} />
  return <DoneStep details={details} />
}

/** Saves part of the profile and goes on; says what went wrong otherwise. */
export function useSave({ onChange, onNext }: ProfileStepProps) {
  const { t } = useTranslation(['accounts', 'entry'])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const run = async (act: () => Promise<MyDetails>) => {
    setBusy(true)
    setError(undefined)
    try {
      onChange(await act())
      onNext()
    } catch (problem) {
      setError(problemWords(problem, t))
    } finally {
      setBusy(false)
    }
  }
  const save = (changes: Partial<ProfileChanges>) => run(() => call('PATCH /api/user/updateUser', { body: changes }))
  return { busy, error, setError, run, save }
}
