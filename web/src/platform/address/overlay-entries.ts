import { overlayEntries, takeBack } from './address.tsx'

/*
 * Each open overlay has its own history entry, so that the back button and a phone's back gesture close the topmost
 * overlay instead of leaving the screen under it.
 */

interface Overlay {
  /** Returns false if the overlay stays open, for example because of unsaved text. */
  close: () => unknown
}

const overlays: Overlay[] = []

const entries = (): number => window.history.state?.overlays ?? 0

function settle(): void {
  if (overlayEntries.leaving) return
  const extra = entries() - overlays.length
  if (extra > 0) takeBack(extra)
  else addUpTo(overlays.length)
}

function addUpTo(wanted: number): void {
  while (entries() < wanted) window.history.pushState({ ...window.history.state, overlays: entries() + 1 }, '')
}

let settling: ReturnType<typeof setTimeout> | undefined

function settleIn(ms: number): void {
  clearTimeout(settling)
  settling = setTimeout(() => {
    settling = undefined
    settle()
  }, ms)
}

/** How long an overlay may take to close, in ms. If it's still open after that, it gets a new history entry. */
const toClose = 400

overlayEntries.onBack = () => {
  const left = overlayEntries.leaving ? [] : overlays.slice(entries()).reverse()
  const refusing = left.findIndex(({ close }) => close() === false)
  // Not delayed: otherwise, going back twice quickly could leave the page despite an overlay that refused to close.
  if (refusing >= 0) addUpTo(overlays.length - refusing)
  settleIn(left.length > 0 ? toClose : 0)
}

overlayEntries.onMove = () => {
  if (settling === undefined) settleIn(0)
}

/**
 * Closes `overlay` when the person goes back. Call the returned function whenever the overlay has closed, for any
 * reason.
 */
export function addOverlay(overlay: Overlay): () => void {
  overlays.push(overlay)
  // Delayed, so that a dialog opened from a menu can reuse the closing menu's history entry.
  settleIn(0)
  return () => {
    overlays.splice(overlays.indexOf(overlay), 1)
    settleIn(0)
  }
}
