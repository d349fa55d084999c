import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PhotoEditor } from '../../features/photos/photos.tsx'
import type { ProfileStepProps } from './profile-step.ts'
import { StepFrame } from './step-frame.tsx'

export function PhotosStep({ details, onNext, onBack }: ProfileStepProps) {
  const { t } = useTranslation('accounts')
  const [error, setError] = useState<string>()
  const next = () => (details.photos.length > 0 ? onNext() : setError(t('photos.missing')))
  return (
    <StepFrame
      step="photos"
      title={t('photos.title')}
      lead={t('photos.lead')}
      onContinue={next}
      onSkip={onNext}
      error={details.photos.length > 0 ? undefined : error}
      onBack={onBack}
    >
      <PhotoEditor photos={details.photos} />
    </StepFrame>
  )
}
