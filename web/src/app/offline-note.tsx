import { RotateCw, TriangleAlert, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOnline } from '../platform/online.ts'
import { usePending } from '../platform/query/trials.ts'
import { useNewVersion } from '../platform/service-worker.ts'
import { useSession } from '../platform/session.ts'

/** How long a reload waits for pending changes, in ms. */
const longestWait = 15_000

/** Its height is `--note`. Elements that fill the window leave that much room for it. */
export function OfflineNote() {
  const { t } = useTranslation('common')
  const online = useOnline()
  const remembered = useSession((state) => state.remembered)
  const take = useNewVersion((state) => (state.unsent > 0 ? null : state.take))
  const isSaving = usePending().length > 0
  const [isWanted, setWanted] = useState(false)
  // Waits for queued changes, which a reload would lose because they haven't been sent yet. A change that waits for the
  // person, such as a permission, may never end.
  useEffect(() => {
    if (!isWanted) return
    const reload = () => {
      setWanted(false)
      take?.()
    }
    if (!isSaving) return reload()
    const timer = setTimeout(reload, longestWait)
    return () => clearTimeout(timer)
  }, [isWanted, isSaving, take])
  if (online && remembered && !take) return null
  const isNews = online && remembered
  const Icon = isNews ? RotateCw : online ? TriangleAlert : WifiOff
  return (
    <p
      data-note
      role="status"
      className="flex h-(--note) items-center justify-center gap-2 bg-sunken px-4 text-s text-ink-2 max-[359px]:text-xs"
    >
      <Icon aria-hidden="true" className="size-4 flex-none" />
      {isNews ? t('newVersion') : online ? t('notRemembered') : t('offline')}
      {isNews && take && (
        <button
          type="button"
          aria-busy={isWanted}
          onClick={() => setWanted(true)}
          className="relative font-[620] text-accent underline-offset-4 after:absolute after:-inset-x-3 after:-inset-y-3 hover:underline aria-busy:opacity-50"
        >
          {t('reload')}
        </button>
      )}
    </p>
  )
}
