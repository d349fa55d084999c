import { ascending } from '@duet/contract/order.ts'
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { Conversation } from '../chat/conversation-list.ts'
import { ConversationRow, type RowListProps } from './conversation-row.tsx'

const rowHeight = 76

type List = RefObject<HTMLUListElement | null>

const scrollerOf = (list: List) => list.current?.closest<HTMLElement>('[data-scroller]') ?? null

export default function ManyRows({ list, onSelect, onMenu, onNear, openId, ...label }: RowListProps) {
  const ref = useRef<HTMLUListElement>(null)
  const above = useAbove(ref)
  const [focused, setFocused] = useState<string>()
  const keep = focused === undefined ? -1 : list.findIndex(({ id }) => id === focused)
  const virtualizer = useVirtualizer<HTMLElement, HTMLLIElement>({
    count: list.length,
    getScrollElement: () => scrollerOf(ref),
    getItemKey: useCallback((index: number) => list[index]?.id ?? index, [list]),
    estimateSize: () => rowHeight,
    rangeExtractor: useCallback((range: Range) => withKept(defaultRangeExtractor(range), keep), [keep]),
    scrollMargin: above,
    overscan: 8,
  })
  useStanding(ref, list, virtualizer)
  const onFocus = ({ target }: FocusEvent) => setFocused(target.closest<HTMLElement>('[data-id]')?.dataset.id)
  return (
    <ul
      ref={ref}
      {...label}
      onFocus={onFocus}
      onBlur={() => setFocused(undefined)}
      className="relative [overflow-anchor:none]"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const conversation = list[index]
        return (
          conversation && (
            <ConversationRow
              key={key}
              {...{ conversation, onSelect, onMenu, onNear, index }}
              isOpen={conversation.id === openId}
              top={start - above}
              count={list.length}
              measure={virtualizer.measureElement}
            />
          )
        )
      })}
    </ul>
  )
}

const withKept = (range: number[], keep: number): number[] =>
  keep < 0 || range.includes(keep) ? range : [...range, keep].sort(ascending)

/**
 * Returns the list's offset from the top of its scroll container in CSS pixels, updated when content above it changes.
 */
function useAbove(list: List): number {
  const [above, setAbove] = useState(0)
  const look = useCallback(() => {
    if (list.current) setAbove(list.current.offsetTop)
  }, [list])
  useLayoutEffect(look)
  useLayoutEffect(() => {
    const content = scrollerOf(list)?.firstElementChild
    if (!content) return
    const watch = new ResizeObserver(look)
    watch.observe(content)
    return () => watch.disconnect()
  }, [list, look])
  return above
}

function useStanding(
  ref: List,
  list: readonly Conversation[],
  virtualizer: Virtualizer<HTMLElement, HTMLLIElement>,
): void {
  const before = useRef({ list, seen: new Map<string, number>() })
  useLayoutEffect(() => {
    const scroller = scrollerOf(ref)
    if (!scroller) return
    const starts = virtualizer.measurementsCache
    const was = before.current
    if (was.list !== list && scroller.scrollTop > 0) {
      const moved = list.flatMap(({ id }, index) => {
        const start = was.seen.get(id)
        return start === undefined ? [] : (starts[index]?.start ?? start) - start
      })
      // A visible row may itself have moved up the list, so scroll by the median shift.
      scroller.scrollTop += moved.sort(ascending)[moved.length >> 1] ?? 0
    }
    const { scrollTop, clientHeight } = scroller
    const isSeen = (start: number, size: number) => start + size > scrollTop && start < scrollTop + clientHeight
    const items = virtualizer.getVirtualItems().filter(({ start, size }) => isSeen(start, size))
    before.current = { list, seen: new Map(items.map(({ key, start }) => [String(key), start])) }
  })
}
