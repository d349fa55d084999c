import { useState } from 'react'
import { isLike, keepFor, readKept } from '../../features/accounts/entry/kept.ts'
import { isSame } from '../../ui/form/is-same.ts'
import type { Edits, EditsState } from '../../ui/form/use-edits.ts'

/**
 * Stores a form's unsaved edits across a reload, as `useKept` does for whole forms. Drops an edit if its field has been
 * saved elsewhere in the meantime.
 */
export function useKeptEdits<T extends object>(name: string, saved: T): EditsState<T> {
  const [edits, setEdits] = useState<Edits<T>>(() => {
    const kept = Object.entries(readKept()[name] ?? {}) as [keyof T, { from?: unknown; to?: unknown } | null][]
    const isOfNow = ([key, edit]: (typeof kept)[number]) =>
      isSame(edit?.from, saved[key]) && isLike(edit?.to, saved[key])
    return Object.fromEntries(kept.filter(isOfNow)) as Edits<T>
  })
  const update = (change: (now: Edits<T>) => Edits<T>) => {
    const next = change(edits)
    setEdits(next)
    keepFor(name, next)
  }
  return [edits, update]
}
