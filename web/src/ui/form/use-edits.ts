import { useState } from 'react'
import { isSame } from './is-same.ts'

interface Edit<V> {
  /** The saved value at the time the person started to edit. */
  from: V
  to: V
}
export type Edits<T> = { [K in keyof T]?: Edit<T[K]> }

/** State for edits that outlive the component, in the format that `useState` returns. */
export type EditsState<T> = readonly [Edits<T>, (change: (now: Edits<T>) => Edits<T>) => void]

const isExactly = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const keysOf = <T>(of: Edits<T> | Partial<T>) => Object.keys(of) as (keyof T)[]
const picked = <T, R>(keys: readonly (keyof T)[], wantedOf: (key: keyof T) => unknown) =>
  Object.fromEntries(keys.map((key) => [key, wantedOf(key)])) as R

/** Leaves out edits that were undone or have since been saved; those fields show the saved value. */
function shownEdits<T extends object>(edits: Edits<T>, saved: T): Edits<T> {
  const isShown = (key: keyof T) => {
    const edit = edits[key]
    if (!edit || !(key in saved) || isExactly(edit.to, saved[key])) return false
    return isSame(edit.from, saved[key]) ? !isExactly(edit.to, edit.from) : !isSame(edit.to, edit.from)
  }
  return picked(keysOf<T>(edits).filter(isShown), (key) => edits[key])
}

/**
 * The edits that remain after `sent` was saved: those that weren't part of it, and those made while it was being saved.
 */
function editsAfter<T extends object>(edits: Edits<T>, sent: Partial<T>, saved: T): Edits<T> {
  const left = keysOf<T>(edits).filter((key) => !(key in sent) || !isExactly(edits[key]?.to, sent[key]))
  return picked(left, (key) => (key in sent ? { from: saved[key], to: edits[key]?.to } : edits[key]))
}

/**
 * A form over saved values that may change while the form is open, because of another device or a moderator. Untouched
 * fields follow the saved values. `changes` contains only the fields that the person changed. `conflicts` lists the
 * fields that also changed on the server; they are left out of `changes` until `keep` or `take` resolves the conflict.
 */
export function useEdits<T extends object>(saved: T, state?: EditsState<T>) {
  const own = useState<Edits<T>>({})
  const [held, update] = state ?? own
  const edits = shownEdits(held, saved)
  const wantedOf = (key: keyof T) => edits[key]?.to
  const edited = keysOf<T>(edits).filter((key) => !isSame(wantedOf(key), saved[key]))
  const conflicts = edited.filter((key) => !isSame(edits[key]?.from, saved[key]))
  const free = edited.filter((key) => !conflicts.includes(key))
  return {
    fields: { ...saved, ...picked<T, Partial<T>>(keysOf<T>(edits), wantedOf) },
    changes: picked<T, Partial<T>>(free, wantedOf),
    /** `changes` plus the conflicting edits, for forms in which the person's edits always take precedence. */
    wanted: picked<T, Partial<T>>(edited, wantedOf),
    conflicts,
    set: (values: Partial<T>) =>
      update((now) => {
        const shown = shownEdits(now, saved)
        const fromOf = (key: keyof T) => (key in shown ? shown[key]?.from : saved[key])
        return {
          ...shown,
          ...picked<T, Edits<T>>(keysOf<T>(values), (key) => ({ from: fromOf(key), to: values[key] })),
        }
      }),
    keep: (key: keyof T) =>
      update((now) => ({ ...now, ...picked(key in now ? [key] : [], () => ({ from: saved[key], to: now[key]?.to })) })),
    take: (key: keyof T) =>
      update((now) =>
        picked(
          keysOf<T>(now).filter((other) => other !== key),
          (other) => now[other],
        ),
      ),
    /** Call this once `sent` has been saved; `next` contains the new saved values. */
    settle: (sent: Partial<T>, next: T) => update((now) => editsAfter(now, sent, next)),
    discard: () => update(() => ({})),
  }
}
