import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useEdits } from './use-edits.ts'

const first = { bio: 'Old words', height: null as number | null, tags: ['cats'] }
type Saved = typeof first

function open() {
  const view = renderHook(({ saved }: { saved: Saved }) => useEdits(saved), { initialProps: { saved: first } })
  const form = () => view.result.current
  return {
    form,
    edit: (values: Partial<Saved>) => act(() => form().set(values)),
    savedElsewhere: (saved: Partial<Saved>) => view.rerender({ saved: { ...first, ...saved } }),
  }
}

test('an untouched field follows a save from elsewhere and is not sent', () => {
  const { form, edit, savedElsewhere } = open()
  edit({ height: 172 })
  savedElsewhere({ bio: 'New words' })
  expect(form().fields).toEqual({ bio: 'New words', height: 172, tags: ['cats'] })
  expect(form().changes).toEqual({ height: 172 })
})

test('a field that changed both here and elsewhere is sent only after the person resolves the conflict', () => {
  const { form, edit, savedElsewhere } = open()
  edit({ bio: 'My words', height: 172 })
  savedElsewhere({ bio: 'Their words', height: 180 })
  expect(form()).toMatchObject({ conflicts: ['bio', 'height'], changes: {}, fields: { bio: 'My words' } })
  act(() => form().keep('bio'))
  act(() => form().take('height'))
  expect(form()).toMatchObject({ conflicts: [], changes: { bio: 'My words' }, fields: { height: 180 } })
})

test('typing in a conflicting field does not resolve the conflict', () => {
  const { form, edit, savedElsewhere } = open()
  edit({ height: 17 })
  savedElsewhere({ height: 180 })
  edit({ height: 172 })
  expect(form()).toMatchObject({ conflicts: ['height'], changes: {} })
})

test('a field whose edit was undone follows a save from elsewhere', () => {
  const { form, edit, savedElsewhere } = open()
  edit({ bio: 'Old words!' })
  edit({ bio: 'Old words ' })
  expect(form()).toMatchObject({ fields: { bio: 'Old words ' }, changes: {} })
  savedElsewhere({ bio: 'New words' })
  expect(form()).toMatchObject({ fields: { bio: 'New words' }, changes: {}, conflicts: [] })
})

test('an edit made during a save becomes a change to the newly saved value', () => {
  const { form, edit, savedElsewhere } = open()
  edit({ bio: 'Bread', height: 172 })
  const sent = form().changes
  edit({ bio: 'Bread and cheese' })
  savedElsewhere({ ...sent })
  act(() => form().settle(sent, { ...first, ...sent }))
  expect(form()).toMatchObject({ conflicts: [], changes: { bio: 'Bread and cheese' } })
})

test('the same change here and elsewhere is no conflict', () => {
  const { form, edit, savedElsewhere } = open()
  edit({ tags: ['cats', 'dogs'] })
  savedElsewhere({ tags: ['cats', 'dogs'] })
  expect(form()).toMatchObject({ conflicts: [], changes: {} })
})
