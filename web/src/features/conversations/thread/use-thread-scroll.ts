import { ascending } from '@duet/contract/order.ts'
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { albumHeight } from './album.tsx'
import type { Row } from './thread-row.tsx'

export type LogVirtualizer = Virtualizer<HTMLDivElement, HTMLLIElement>

/** Within this many pixels of the end, the thread follows new messages. */
const nearEnd = 80
const lineHeight = 22

/** An estimate of the letters per line of a bubble, for the width of the log in CSS pixels. */
const lettersIn = (width: number) => Math.max(20, Math.round((Math.min(width, 720) * 0.78 - 54) / 8))

/** An estimate in CSS pixels; the row is measured once rendered. */
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
   * The indexes of the focused row and of the row that plays a voice message, or -1. Both stay mounted at any scroll
   * position.
   */
  keep: readonly [focused: number, heard: number]
  /** True if newer messages exist that aren't loaded. New messages are then not followed. */
  partial: boolean
}

/**
 * Virtualizes and scrolls the thread. Only rows near the visible ones are mounted; older rows load above without moving
 * the view. The thread follows new messages while `atEnd` is true.
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
  // New rows may push the end out of view without any scrolling.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `rows` changes the height
  useLayoutEffect(() => {
    wasPartial.current = partial
    look()
  }, [rows, partial, look])
  useStayAtEnd(ref, virtualizer, atEnd && !partial)
  return { virtualizer, atEnd: atEnd && !partial, away: away || partial, look }
}

/** The composer or a keyboard may shrink the thread. If it was at its end, it stays there. */
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
