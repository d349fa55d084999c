import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { useTranslation } from 'react-i18next'
import { Toaster, toast } from 'sonner'
import { keepToastsClear } from './toast-place.ts'

/** Milliseconds that a toast lives. */
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

// Below the bar, whose bell and face stay free; on phones over it, where there is less room; beside what is open. Named in the language of the page, and not as the notifications are.
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

/** Shows a toast with the app's life and place. */
export function showToast(
  kind: 'success' | 'error' | 'info' | 'warning',
  text: string,
  action?: { label: string; onClick: () => void },
): void {
  mountToaster()
  toast[kind](text, { duration: toastLife, position: position(), ...(action && { action }) })
}
