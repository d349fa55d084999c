interface ToastOptions {
  /** Offers to take back what the toast tells. */
  undo?: { label: string; onUndo: () => void }
  /** Offers to go on from what the toast tells. */
  act?: { label: string; onAct: () => void }
}
type Kind = 'success' | 'error' | 'info' | 'warning'

const loadToaster = () => import('./toaster/toaster.tsx')

/** How long an untouched page waits before it loads the toaster, in ms. */
const untouched = 10_000

/**
 * Loads the toaster at the first touch or key, after the page has loaded: without a connection it would be too late to
 * load what says that there is none.
 */
export function prepareToaster(): void {
  const prepare = () => void loadToaster().catch(() => undefined)
  for (const input of ['pointerdown', 'keydown']) addEventListener(input, prepare, { once: true, capture: true })
  setTimeout(prepare, untouched)
}

async function show(kind: Kind, text: string, { undo, act }: ToastOptions = {}): Promise<void> {
  const toaster = await loadToaster().catch(() => undefined)
  if (!toaster) return console.error('The toaster could not be loaded.', text)
  const { showToast } = toaster
  const action = undo ? { label: undo.label, onClick: undo.onUndo } : act && { label: act.label, onClick: act.onAct }
  showToast(kind, text, action)
}

/** Short news, anywhere in the app: 3000 ms, top right (top centre on phones). */
export const toast = {
  success: (text: string, options?: ToastOptions) => void show('success', text, options),
  error: (text: string, options?: ToastOptions) => void show('error', text, options),
  info: (text: string, options?: ToastOptions) => void show('info', text, options),
  warning: (text: string, options?: ToastOptions) => void show('warning', text, options),
}
