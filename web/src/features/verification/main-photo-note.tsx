import { BadgeCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'

export function MainPhotoNote() {
  const { t } = useTranslation('verification')
  return (
    <p className="mb-4 flex items-start gap-2.5 text-s text-ink-2">
      <BadgeCheck aria-hidden="true" className="size-5! text-accent" />
      {t('mainPhoto')}
    </p>
  )
}
