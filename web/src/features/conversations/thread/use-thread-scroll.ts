import { ascending } from '@duet/contract/order.ts'
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { albumHeight } from './album.tsx'
import type { Row } from './thread-row.tsx'

export type LogVirtualizer = Virtualizer<HTMLDivElement, HTMLLIElement>

/** The thread scrolls to new messages only if it is within this many pixels of the end. */
const nearEnd = 80
const lineHeight = 22

/** The estimated number of letters per line of a bubble. `width` is the width of the log in CSS pixels. */
const lettersIn = (width: number) => Math.max(20, Math.round((Math.min(width, 720) * 0.78 - 54) / 8))

/** The estimated height in CSS pixels until the rendered row is measured. */
function rowHeight(row: Row | undefined, perLine: number): number {
  if (row?.kind === 'liked') return row.item.kind === 'photo' ? 200 : 116
  if (row?.kind === 'album') return albumHeight(row)
  if (row?.kind !== 'message') return 40
  const { message, last } = row
  const lines = message.message.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / perLine) || 1, 0)
  const picture = message.attachment?.kind === 'photo' ? 240 : message.attachment ? 56 : 0
  return 20 + lines * lineHeight + picture + (message.replyTo ? 48 : 0) + (last ? 32 : 3)
}

interface Standing {
  ref: RefObject<HTMLDivElement | null>
  rows: readonly Row[]
  /**
   * The indexes of the focused row and of the row that is playing a voice message, or -1. Both stay mounted when
   * scrolled out of view.
   */
  keep: readonly [focused: number, heard: number]
  /** True if newer messages exist that aren't loaded. The thread then doesn't scroll to new messages. */
  partial: boolean
}

/**
 * Only rows near the visible ones are mounted. Older rows load above without moving the visible ones, and while `atEnd`
 * is true, the thread scrolls to new messages.
 */
export function useThreadScroll({ ref, rows, keep: [focused, heard], partial }: Standing) {
  const [atEnd, setAtEnd] = useState(true)
  const [away, setAway] = useState(false)
  const wasPartial = useRef(partial)
  const rangeExtractor = useCallback(
    (range: Range) => withKept(defaultRangeExtractor(range), [focused, heard]),
    [focused, heard],
  )
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: rows.length,
    getScrollElement: () => ref.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: useCallback(
      (index: number) => rowHeight(rows[index], lettersIn(ref.current?.clientWidth ?? 0)),
      [rows, ref],
    ),
    rangeExtractor,
    anchorTo: 'end',
    followOnAppend: !partial && !wasPartial.current,
    scrollEndThreshold: nearEnd,
    overscan: 8,
    paddingStart: 16,
    paddingEnd: 8,
  })
  const look = useCallback(() => {
    const log = ref.current
    if (!log) return
    const left = log.scrollHeight - log.scrollTop - log.clientHeight
    setAtEnd(left <= nearEnd)
    setAway(left > Math.max(nearEnd, log.clientHeight / 2))
  }, [ref])
  // New rows may push the end out of view without a scroll event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `rows` changes the height
  useLayoutEffect(() => {
    wasPartial.current = partial
    look()
  }, [rows, partial, look])
  useStayAtEnd(ref, virtualizer, atEnd && !partial)
  return { virtualizer, atEnd: atEnd && !partial, away: away || partial, look }
}

function useStayAtEnd(ref: RefObject<HTMLDivElement | null>, virtualizer: LogVirtualizer, atEnd: boolean): void {
  const stays = useRef(atEnd)
  stays.current = atEnd
  useEffect(() => {
    const log = ref.current
    if (!log) return
    let height = log.clientHeight
    const watch = new ResizeObserver(() => {
      if (log.clientHeight < height && stays.current) virtualizer.scrollToEnd()
      height = log.clientHeight
    })
    watch.observe(log)
    return () => watch.disconnect()
  }, [ref, virtualizer])
}

const withKept = (range: number[], keep: readonly number[]): number[] =>
  [...new Set([...range, ...keep.filter((index) => index >= 0)])].sort(ascending)
