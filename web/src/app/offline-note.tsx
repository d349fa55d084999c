import { TriangleAlert, WifiOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useOnline } from '../platform/online.ts'
import { useSession } from '../platform/session.ts'

/**
 * Says that there is no network, while there is none, or that the browser keeps nothing. What is as high as the window
 * makes room for it (--note).
 */
export function OfflineNote() {
  const { t } = useTranslation('common')
  const online = useOnline()
  const remembered = useSession((state) => state.remembered)
  if (online && remembered) return null
  const Icon = online ? TriangleAlert : WifiOff
  return (
    <p
      data-note
      role="status"
      className="flex h-(--note) items-center justify-center gap-2 bg-sunken px-4 text-s text-ink-2 max-[359px]:text-xs"
    >
      <Icon aria-hidden="true" className="size-4 flex-none" />
      {online ? t('notRemembered') : t('offline')}
    </p>
  )
}
