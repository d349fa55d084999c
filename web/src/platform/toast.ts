interface ToastOptions {
  undo?: { label: string; onUndo: () => void }
  act?: { label: string; onAct: () => void }
}
type Kind = 'success' | 'error' | 'info' | 'warning'

const loadToaster = () => import('./toaster/toaster.tsx')

/** How long to wait before loading the toaster on a page that nobody touches, in ms. */
const untouched = 10_000

/**
 * Loads the toaster at the first touch or key press. Once the connection is lost, it couldn't be loaded to report that.
 */
export function prepareToaster(): void {
  const prepare = () => void loadToaster().catch(() => undefined)
  for (const input of ['pointerdown', 'keydown']) addEventListener(input, prepare, { once: true, capture: true })
  setTimeout(prepare, untouched)
}

async function show(kind: Kind, text: string, { undo, act }: ToastOptions = {}): Promise<void> {
  const toaster = await loadToaster().catch(() => undefined)
  if (!toaster) return console.error('Couldn’t load the toaster.', text)
  const { showToast } = toaster
  const action = undo ? { label: undo.label, onClick: undo.onUndo } : act && { label: act.label, onClick: act.onAct }
  showToast(kind, text, action)
}

/** Shows a message for 3000 ms at the top right, or at the top centre on phones. */
export const toast = {
  success: (text: string, options?: ToastOptions) => void show('success', text, options),
  error: (text: string, options?: ToastOptions) => void show('error', text, options),
  info: (text: string, options?: ToastOptions) => void show('info', text, options),
  warning: (text: string, options?: ToastOptions) => void show('warning', text, options),
}
