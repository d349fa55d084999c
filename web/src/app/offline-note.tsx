import { WifiOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useOnline } from '../platform/online.ts'

/** Says that there is no network, while there is none. What is as high as the window makes room for it (--note). */
export function OfflineNote() {
  const { t } = useTranslation('common')
  const online = useOnline()
  if (online) return null
  return (
    <p
      data-note
      role="status"
      className="flex h-(--note) items-center justify-center gap-2 bg-sunken px-4 text-s text-ink-2 max-[359px]:text-xs"
    >
      <WifiOff aria-hidden="true" className="size-4 flex-none" />
      {t('offline')}
    </p>
  )
}
