import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PlacePicker } from '../../features/places/places.tsx'
import type { ProfileStepProps } from './profile-step.ts'
import { StepFrame } from './step-frame.tsx'

/** The place picker saves automatically. Continue is possible once a place is set. */
export function PlaceStep({ details, onNext, onBack }: ProfileStepProps) {
  const { t } = useTranslation('accounts')
  const [error, setError] = useState<string>()
  const next = () => (details.area ? onNext() : setError(t('place.missing')))
  return (
    <StepFrame
      step="place"
      title={t('place.title')}
      lead={t('place.lead')}
      onContinue={next}
      onSkip={onNext}
      {...{ onBack, error }}
    >
      <PlacePicker area={details.area} onTry={() => setError(undefined)} onChosen={onNext} />
    </StepFrame>
  )
}
