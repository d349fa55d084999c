interface ToastOptions {
  undo?: { label: string; onUndo: () => void }
  act?: { label: string; onAct: () => void }
}
type Kind = 'success' | 'error' | 'info' | 'warning'

const loadToaster = () => import('./toaster/toaster.tsx')

/** How long an unused page waits before it loads the toaster, in ms. */
const untouched = 10_000

/** Loads the toaster at the first touch or key press: without a connection, it would be too late to report that. */
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

/** Shows a message for 3000 ms, top right or, on phones, top centre. */
export const toast = {
  success: (text: string, options?: ToastOptions) => void show('success', text, options),
  error: (text: string, options?: ToastOptions) => void show('error', text, options),
  info: (text: string, options?: ToastOptions) => void show('info', text, options),
  warning: (text: string, options?: ToastOptions) => void show('warning', text, options),
}
