import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { tabTexts } from '../../../platform/storage.ts'
import { useKeptEdits } from '../../../screens/sign-up/kept-edits.ts'
import { useEdits } from '../../../ui/form/use-edits.ts'
import { useKept } from './kept.ts'

beforeEach(() => sessionStorage.clear())

const empty = {
  email: '',
  isProven: false,
  birth: { day: '', month: '' },
  tags: [] as string[],
  gender: null as string | null,
}
const read = (stored: unknown) => {
  tabTexts.write('entry', JSON.stringify(stored))
  return renderHook(() => useKept('draft', empty)).result.current[0]
}

test.each([
  { draft: { email: 5, isProven: 'yes', birth: 'May', tags: [1], gender: {} } },
  { draft: { birth: { day: 1 }, tags: { first: 'x' }, more: 1 } },
  { draft: 'x' },
  { draft: null },
  [],
  null,
])('Stored answers of another shape are ignored: %j', (stored) => expect(read(stored)).toMatchObject(empty))

test('Stored answers of the expected shape are restored', () => {
  const draft = { ...empty, email: 'a@b.c', birth: { day: '1', month: '2' }, tags: ['x'], gender: 'man' }
  expect(read({ draft })).toEqual(draft)
})

test('Unsaved answers survive a reload unless the field was saved elsewhere', () => {
  const saved = { gender: null as string | null, pronouns: '' }
  const open = (now: typeof saved) => renderHook(() => useEdits(now, useKeptEdits('who', now))).result
  const first = open(saved)
  act(() => first.current.set({ gender: 'man', pronouns: 'he' }))
  expect(open(saved).current.wanted).toEqual({ gender: 'man', pronouns: 'he' })
  const later = open({ gender: null, pronouns: 'they' })
  expect([later.current.fields, later.current.wanted]).toEqual([{ gender: 'man', pronouns: 'they' }, { gender: 'man' }])
})
