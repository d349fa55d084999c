import { type PointerEvent, useRef } from 'react'
import type { Spot } from './thread-acts.ts'

const held = 450
const slack = 10

export function useLongPress(onLongPress: (spot: Spot, on: HTMLElement) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const from = useRef<Spot>({ x: 0, y: 0 })
  const pressed = useRef(false)
  const stop = () => clearTimeout(timer.current)
  return {
    onPointerDown: ({ pointerType, clientX: x, clientY: y, currentTarget }: PointerEvent<HTMLElement>) => {
      stop()
      pressed.current = false
      if (pointerType !== 'touch') return
      from.current = { x, y }
      timer.current = setTimeout(() => {
        pressed.current = true
        onLongPress({ x, y }, currentTarget)
      }, held)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - from.current.x, clientY - from.current.y) > slack) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    // Releasing a long press also fires a click, which must not activate the element.
    onClickCapture: (event: { preventDefault(): void; stopPropagation(): void }) => {
      if (!pressed.current) return
      pressed.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
