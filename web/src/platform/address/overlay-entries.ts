import { overlayEntries, takeBack } from './address.tsx'

/*
 * Each open overlay has its own history entry, so that the back button and a phone's back gesture close the topmost
 * overlay instead of leaving the screen under it.
 */

interface Overlay {
  /** Returns false if the overlay refuses to close, for example because of unsaved text. */
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

/** How long an overlay may take to close, in ms. If it's still open then, it gets a new history entry. */
const toClose = 400

overlayEntries.onBack = () => {
  const left = overlayEntries.leaving ? [] : overlays.slice(entries()).reverse()
  const refusing = left.findIndex(({ close }) => close() === false)
  // Immediately, so that going back twice quickly can't leave an overlay that refused to close.
  if (refusing >= 0) addUpTo(overlays.length - refusing)
  settleIn(left.length > 0 ? toClose : 0)
}

overlayEntries.onMove = () => {
  if (settling === undefined) settleIn(0)
}

/** Closes `overlay` when the person goes back. Call the returned function once it has closed, however that happened. */
export function addOverlay(overlay: Overlay): () => void {
  overlays.push(overlay)
  // Not synchronous, so that a dialog takes over the entry of the closing menu that opened it.
  settleIn(0)
  return () => {
    overlays.splice(overlays.indexOf(overlay), 1)
    settleIn(0)
  }
}
