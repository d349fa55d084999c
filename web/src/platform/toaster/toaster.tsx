import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { useTranslation } from 'react-i18next'
import { Toaster, toast } from 'sonner'
import { keepToastsClear } from './toast-place.ts'

/** In ms. */
export const toastLife = 3000

const position = () => (window.matchMedia('(max-width: 639px)').matches ? 'top-center' : 'top-right')
let mounted = false

function mountToaster(): void {
  if (mounted) return
  mounted = true
  const host = document.createElement('div')
  document.body.append(host)
  flushSync(() => createRoot(host).render(<Toasts />))
  keepToastsClear(host)
}

// Shown below the bar so that the bell stays clickable, except on phones, which have less space. The translated label
// must differ from that of the notifications.
function Toasts() {
  const { t, i18n } = useTranslation('ui')
  return (
    <Toaster
      containerAriaLabel={t('toasts')}
      dir={i18n.dir()}
      position="top-right"
      duration={toastLife}
      gap={8}
      offset={{ top: 'calc(var(--bar) + 8px)' }}
      toastOptions={{ className: 'toast' }}
    />
  )
}

export function showToast(
  kind: 'success' | 'error' | 'info' | 'warning',
  text: string,
  action?: { label: string; onClick: () => void },
): void {
  mountToaster()
  toast[kind](text, { duration: toastLife, position: position(), ...(action && { action }) })
}
