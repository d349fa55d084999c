import { create } from 'zustand'

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

/** The browser's own question whether to install the app, where it has one and it was not asked yet. */
export const useInstallPrompt = create<{ question: InstallPrompt | null }>()(() => ({ question: null }))

/** Keeps the question for the settings: it comes once, soon after the start, and is never asked at arrival. */
export function keepInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    useInstallPrompt.setState({ question: event as InstallPrompt })
  })
  window.addEventListener('appinstalled', () => useInstallPrompt.setState({ question: null }))
}
