import { type PointerEvent, type RefObject, useRef } from 'react'
import {
  decisionOfSwipe,
  isUpright,
  type Point,
  type Sample,
  slop,
  speedOf,
  swipeProgress,
  type Thrown,
  tiltOf,
} from './swipe.ts'

export const stillMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

interface SwipeOptions {
  card: RefObject<HTMLElement | null>
  /** Return false to make the card spring back. */
  onDecide: (decision: Thrown) => boolean
}

interface Drag {
  id: number
  from: Point
  moving: boolean
  samples: Sample[]
  /** Measured when the drag starts, because measuring during the drag would force a layout. */
  width: number
  still: boolean
}

const stampsOf = (card: HTMLElement) => card.querySelectorAll<HTMLElement>('[data-stamp]')

/** Changes only `transform` and `opacity`, to avoid a layout. */
function lean(card: HTMLElement, offset: Point, { width, still }: Drag): void {
  const toward = swipeProgress(offset, width)
  for (const stamp of stampsOf(card)) {
    const share = toward && toward.decision === stamp.dataset.stamp ? Math.min(1, toward.share) : 0
    stamp.style.opacity = share.toFixed(2)
    if (!still) stamp.style.transform = `scale(${(0.8 + 0.2 * share).toFixed(3)})`
  }
  if (!still)
    card.style.transform = `translate(${offset.x}px, ${offset.y}px) rotate(${tiltOf(offset, width).toFixed(2)}deg)`
}

function springBack(card: HTMLElement): void {
  const from = card.style.transform
  for (const stamp of stampsOf(card)) stamp.style.opacity = ''
  card.style.transform = ''
  card.style.willChange = ''
  if (from && !stillMotion())
    card.animate?.([{ transform: from }, { transform: 'none' }], { duration: 240, easing: 'cubic-bezier(.2,.8,.2,1)' })
}

function begin(drag: Drag, card: HTMLElement): void {
  card.setPointerCapture(drag.id)
  drag.moving = true
  drag.width = card.offsetWidth
  drag.still = stillMotion()
  card.style.willChange = 'transform'
}

/** Only horizontal drags move the card; vertical drags scroll the page. Ignores the click that ends a drag. */
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
    // The click that ends this drag comes before the next task; any later click is intentional.
    setTimeout(() => {
      swallow.current = false
    })
    const decision = letGo ? decisionOfSwipe(offset, speedOf(last.samples, event.timeStamp), last.width) : null
    if (!decision || !onDecide(decision)) springBack(node)
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (!event.isPrimary || event.button !== 0) return
      // React events of a menu opened from the card bubble up to here, although the menu isn't inside the card's
      // element.
      if (!card.current?.contains(event.target as Node)) return
      const from = { x: event.clientX, y: event.clientY }
      drag.current = { id: event.pointerId, from, moving: false, samples: [], width: 0, still: false }
    },
    onPointerMove: (event: PointerEvent) => {
      const now = drag.current
      if (now?.id !== event.pointerId || !card.current) return
      // The mouse button was released outside the page.
      if (event.buttons === 0) return end(event, false)
      const offset = offsetOf(event)
      if (!now.moving && Math.hypot(offset.x, offset.y) < slop) return
      // On a vertical touch, stop the drag so that the browser can scroll the page.
      if (!now.moving && event.pointerType === 'touch' && isUpright(offset)) {
        drag.current = null
        return
      }
      if (!now.moving) begin(now, card.current)
      now.samples = [...now.samples.slice(-11), { ...offset, at: event.timeStamp }]
      lean(card.current, offset, now)
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
