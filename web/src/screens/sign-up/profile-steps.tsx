import type { MyDetails } from '@duet/contract/profiles.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOwnDetails } from '../../features/accounts/accounts.ts'
import { problemWords } from '../../features/accounts/problem-words.ts'
import { createQueryClient } from '../../platform/query/query-client.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DoneStep } from './done-step.tsx'
import { PhotosStep } from './photos-step.tsx'
import { PlaceStep } from './place-step.tsx'
import type { ProfileStepProps } from './profile-step.ts'
import { PromptsStep } from './prompts-step.tsx'
import { useStep } from './use-step.ts'
import { IntentStep, WhoStep } from './who-steps.tsx'

const profileSteps = ['who', 'intent', 'place', 'photos', 'prompts', 'done'] as const
type ProfileStep = (typeof profileSteps)[number]

function firstGap(details: MyDetails): ProfileStep {
  if (!details.gender || details.interestedIn.length === 0) return 'who'
  if (details.intents.length === 0) return 'intent'
  if (!details.area) return 'place'
  if (details.photos.length === 0) return 'photos'
  return details.prompts.length === 0 ? 'prompts' : 'done'
}

/**
 * The steps after the account has been created. Each can be skipped, and people who return continue at the first
 * unanswered step.
 */
export default function ProfileSteps() {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <Loading />
    </QueryClientProvider>
  )
}

function Loading() {
  const { t } = useTranslation(['accounts', 'entry'])
  const { data, error, isFetching, refetch } = useOwnDetails()
  if (data) return <Questions details={data} />
  if (error) return <ErrorState text={problemWords(error, t)} busy={isFetching} onRetry={() => refetch()} />
  return (
    <main aria-busy="true" className="mx-auto grid max-w-115 gap-6 px-6 pt-24">
      <Skeleton className="h-12" />
      <Skeleton className="h-40" />
    </main>
  )
}

function Questions({ details }: { details: MyDetails }) {
  const [gap] = useState(() => firstGap(details))
  const { step, next, back } = useStep<ProfileStep>(profileSteps, gap, 'done')
  const first = { details, onNext: next }
  const props: ProfileStepProps = { ...first, onBack: back }
  if (step === 'who') return <WhoStep {...first} />
  if (step === 'intent') return <IntentStep {...props} />
  if (step === 'place') return <PlaceStep {...props} />
  if (step === 'photos') return <PhotosStep {...props} />
  if (step === 'prompts') return <PromptsStep {...props} />
  return <DoneStep details={details} />
}
