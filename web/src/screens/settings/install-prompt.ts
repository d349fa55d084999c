import { create } from 'zustand'

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

/** The browser's install prompt; null if there is none or it has been used. */
export const useInstallPrompt = create<{ question: InstallPrompt | null }>()(() => ({ question: null }))

/**
 * Stores the browser's install prompt for later. Browsers offer it once, soon after the page loads, which is too early
 * to ask people.
 */
export function keepInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    useInstallPrompt.setState({ question: event as InstallPrompt })
  })
  window.addEventListener('appinstalled', () => useInstallPrompt.setState({ question: null }))
}
