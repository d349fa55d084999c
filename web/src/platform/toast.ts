interface ToastOptions {
  /** Offers to take back what the toast tells. */
  undo?: { label: string; onUndo: () => void }
  /** Offers to go on from what the toast tells. */
  act?: { label: string; onAct: () => void }
}
type Kind = 'success' | 'error' | 'info' | 'warning'

// The toaster is loaded with the first toast: pages that show none do not pay for it.
async function show(kind: Kind, text: string, { undo, act }: ToastOptions = {}): Promise<void> {
  const { showToast } = await import('./toaster.tsx')
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
