import type { KeyboardEvent, MouseEvent } from 'react'
import type { MessageItem } from '../message/albums.ts'
import { actsOn } from '../message/message-rules.ts'
import { type Spot, useThread } from '../thread-acts.ts'
import { useLongPress } from '../use-long-press.ts'

/** What a double press puts on a message, or takes off again. */
const heart = '❤️'

/** The bubble, so that its menu opens beside it; a point of one that is so high that there would be no room. */
function spotAt(row: HTMLElement, mine: boolean, point?: Spot): Spot {
  const { left, top, bottom, width, height } = (row.querySelector('[data-bubble]') ?? row).getBoundingClientRect()
  if (height < window.innerHeight / 2) return { x: left, y: top, width, height, align: mine ? 'end' : 'start' }
  return point ?? { x: left, y: Math.min(bottom, window.innerHeight - 80) }
}

/** Right click, a resting finger, Enter and the menu key open the menu of a message; a double press is a heart. */
export function useMessageMenu({ message, mine }: MessageItem) {
  const { openMenu, react, viewerId } = useThread()
  const offers = () => actsOn(message, viewerId, Date.now())
  const open = (row: HTMLElement, point?: Spot) => {
    if (offers().length > 0) openMenu(message, spotAt(row, mine, point))
  }
  return {
    ...useLongPress((point, row) => open(row, point)),
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      if ((event.target as Element).closest('a') || window.getSelection()?.toString()) return
      event.preventDefault()
      const { clientX: x, clientY: y } = event
      // The menu key comes without a place of its own.
      open(event.currentTarget, x || y ? { x, y } : undefined)
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== 'Enter' || event.target !== event.currentTarget) return
      event.preventDefault()
      open(event.currentTarget)
    },
    onDoubleClick: ({ target }: MouseEvent<HTMLElement>) => {
      const pressed = target as Element
      if (!pressed.closest('[data-bubble]') || pressed.closest('a, button') || !offers().includes('emoji')) return
      // It has selected a word, too.
      window.getSelection()?.removeAllRanges()
      const own = message.reactions?.find(({ userId }) => userId === viewerId)?.emoji
      react(message, own === heart ? null : heart)
    },
  }
}
