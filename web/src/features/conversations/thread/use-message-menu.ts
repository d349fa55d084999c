import type { KeyboardEvent, MouseEvent } from 'react'
import type { MessageItem } from '../message/albums.ts'
import { actsOn } from '../message/message-rules.ts'
import { type Spot, useThread } from '../thread-acts.ts'
import { useLongPress } from '../use-long-press.ts'

const heart = '❤️'

function spotAt(row: HTMLElement, mine: boolean, point?: Spot): Spot {
  const { left, top, bottom, width, height } = (row.querySelector('[data-bubble]') ?? row).getBoundingClientRect()
  if (height < window.innerHeight / 2) return { x: left, y: top, width, height, align: mine ? 'end' : 'start' }
  return point ?? { x: left, y: Math.min(bottom, window.innerHeight - 80) }
}

/**
 * A right click, long press, Enter or the menu key opens the message's menu. A double press adds or removes a heart.
 */
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
      // A context menu opened with the keyboard has no pointer position.
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
      // A double press also selects a word, so clear the selection.
      window.getSelection()?.removeAllRanges()
      const own = message.reactions?.find(({ userId }) => userId === viewerId)?.emoji
      react(message, own === heart ? null : heart)
    },
  }
}
