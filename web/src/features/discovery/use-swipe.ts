import type { Decision } from '@duet/contract/profiles.ts'
import { type PointerEvent, type RefObject, useRef } from 'react'
import { leaning, outcomeOf, type Point, type Sample, slop, speedOf, tiltOf } from './swipe.ts'

export const stillMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

interface SwipeOptions {
  card: RefObject<HTMLElement | null>
  /** Told when the card is let go far or fast enough; false sends it back. */
  onDecide: (decision: Decision) => boolean
}

interface Drag {
  id: number
  from: Point
  moving: boolean
  samples: Sample[]
}

const decisions: Decision[] = ['like', 'pass', 'later']

function lean(card: HTMLElement, offset: Point): void {
  const size = { width: card.offsetWidth, height: card.offsetHeight }
  const toward = leaning(offset, size)
  for (const decision of decisions) {
    const share = toward?.decision === decision ? Math.min(1, toward.share) : 0
    card.style.setProperty(`--${decision}`, share.toFixed(2))
  }
  if (!stillMotion())
    card.style.transform = `translate(${offset.x}px, ${offset.y}px) rotate(${tiltOf(offset, size)}deg)`
}

/** Puts the card where it belongs, in a short way of its own. */
function springBack(card: HTMLElement): void {
  const from = card.style.transform
  for (const decision of decisions) card.style.removeProperty(`--${decision}`)
  card.style.transform = ''
  if (from && !stillMotion())
    card.animate?.([{ transform: from }, { transform: 'none' }], { duration: 240, easing: 'cubic-bezier(.2,.8,.2,1)' })
}

/** Lets the card follow the finger, one to one; what was clicked on the way is not clicked. */
export function useSwipe({ card, onDecide }: SwipeOptions) {
  const drag = useRef<Drag>(null)
  const swallow = useRef(false)
  const offsetOf = (event: PointerEvent): Point => ({
    x: event.clientX - (drag.current?.from.x ?? 0),
    y: event.clientY - (drag.current?.from.y ?? 0),
  })
  const end = (event: PointerEvent, letGo: boolean) => {
    const last = drag.current
    if (last?.id !== event.pointerId) return
    const offset = offsetOf(event)
    drag.current = null
    const node = card.current
    if (!last.moving || !node) return
    swallow.current = true
    // The click of this very movement comes before the next task; a later one is meant.
    setTimeout(() => {
      swallow.current = false
    })
    const size = { width: node.offsetWidth, height: node.offsetHeight }
    const decision = letGo ? outcomeOf(offset, speedOf(last.samples, event.timeStamp), size) : null
    if (!decision || !onDecide(decision)) springBack(node)
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (!event.isPrimary || event.button !== 0) return
      // A menu that opened from the card is drawn elsewhere, but its events come by here.
      if (!card.current?.contains(event.target as Node)) return
      const from = { x: event.clientX, y: event.clientY }
      drag.current = { id: event.pointerId, from, moving: false, samples: [] }
    },
    onPointerMove: (event: PointerEvent) => {
      const now = drag.current
      if (now?.id !== event.pointerId || !card.current) return
      // Let go where the card could not hear of it.
      if (event.buttons === 0) return end(event, false)
      const offset = offsetOf(event)
      if (!now.moving && Math.hypot(offset.x, offset.y) < slop) return
      if (!now.moving) card.current.setPointerCapture(event.pointerId)
      now.moving = true
      now.samples = [...now.samples.slice(-11), { ...offset, at: event.timeStamp }]
      lean(card.current, offset)
    },
    onPointerUp: (event: PointerEvent) => end(event, true),
    onPointerCancel: (event: PointerEvent) => end(event, false),
    onClickCapture: (event: { preventDefault: () => void; stopPropagation: () => void }) => {
      if (!swallow.current) return
      swallow.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
