import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Figure } from './figure.tsx'

interface ErrorStateProps {
  text?: ReactNode
  onRetry?: () => void
  busy?: boolean
}

export function ErrorState({ text, onRetry, busy }: ErrorStateProps) {
  const { t } = useTranslation('ui')
  return (
    <div role="alert" className="mx-auto grid max-w-80 justify-items-center gap-4 px-5 py-8 text-center">
      <Figure name="cloud" />
      <p className="text-ink-2 text-balance">{text ?? t('error.general')}</p>
      {onRetry && (
        <Button variant="quiet" icon={<RotateCw aria-hidden="true" />} busy={busy ?? false} onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </div>
  )
}
