import { create } from 'zustand'

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

/** The browser's own install prompt, if it has one that hasn't been used yet. */
export const useInstallPrompt = create<{ question: InstallPrompt | null }>()(() => ({ question: null }))

/** Browsers offer the prompt once, soon after the start, which is too early to ask people. */
export function keepInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    useInstallPrompt.setState({ question: event as InstallPrompt })
  })
  window.addEventListener('appinstalled', () => useInstallPrompt.setState({ question: null }))
}
