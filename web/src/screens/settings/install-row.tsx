import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { useInstallPrompt } from './install-prompt.ts'

// Safari on iPhones and iPads has its own property for this. iPads identify as Macs, but have a touchscreen.
const isInstalled = () =>
  window.matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true
const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

export function InstallRow() {
  const { t } = useTranslation('own-settings')
  const question = useInstallPrompt((state) => state.question)
  if (isInstalled()) return null
  const ask = () => {
    // The prompt can be shown only once, whatever the answer.
    useInstallPrompt.setState({ question: null })
    void question?.prompt().catch(() => undefined)
  }
  return (
    <div id="install" className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-[540]">{t('install.title')}</p>
        <p className="mt-0.5 text-s text-ink-2">{t('install.text')}</p>
        {!question && <p className="mt-1.5 text-s text-ink-2">{t(isApple() ? 'install.apple' : 'install.menu')}</p>}
      </div>
      {question && (
        <Button variant="quiet" onClick={ask}>
          {t('install.act')}
        </Button>
      )}
    </div>
  )
}
