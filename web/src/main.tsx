import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/styles.css'
import { Router } from './app/router.tsx'
import { followLanguage } from './features/accounts/language.ts'
import { startBlur } from './features/privacy/blur.ts'
import { keepInstallPrompt } from './screens/settings/install-prompt.ts'
import './features/push/offered.ts'
import { startI18n } from './platform/i18n.ts'
import { forgetOthers } from './platform/personal/personal.ts'
import { focusWhatIsPressed } from './platform/press-focus.ts'
import { startServiceWorker } from './platform/service-worker.ts'
import { followOtherTabs } from './platform/session.ts'
import { startTheme } from './platform/theme.ts'
import { prepareToaster } from './platform/toast.ts'

// Requested before the first text renders, because fonts that arrive later aren't used on this visit.
void Promise.allSettled(['Figtree Variable', 'Fraunces Variable'].map((name) => document.fonts.load(`1em "${name}"`)))
startTheme()
startBlur()
followOtherTabs()
forgetOthers()
followLanguage()
prepareToaster()
keepInstallPrompt()
focusWhatIsPressed()
// Not awaited: the texts are in chunks that load only after this module has run.
void startI18n().then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Router />
    </StrictMode>,
  ),
)

// Waits for the page to load, so the worker's downloads don't compete with it.
if (import.meta.env.PROD)
  window.addEventListener('load', () => {
    startServiceWorker().catch((error: unknown) => console.error('Couldn’t register the service worker.', error))
  })
