import { asLine, excessOf } from '@duet/contract/written-text.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

function TooLong({ excess }: { excess: number }) {
  const { t } = useTranslation('ui')
  return <span role="status">{t('tooLong', { count: excess })}</span>
}

/** Returns an error instead of cutting off text that is too long, because people might not notice the lost words. */
export function tooLongError(text: unknown, most: number | undefined, stored = asLine): ReactNode {
  const excess = most ? excessOf(String(text ?? ''), most, stored) : 0
  return excess > 0 ? <TooLong excess={excess} /> : undefined
}
