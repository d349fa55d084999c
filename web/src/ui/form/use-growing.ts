import { type RefObject, useLayoutEffect } from 'react'

const grows = typeof CSS !== 'undefined' && CSS.supports?.('field-sizing', 'content')

/** Grows a text area with its text in browsers without `field-sizing`. */
export function useGrowing(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const field = box.current
    if (grows || !field) return
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`
  }, [text, box])
}
