import { expect, test } from 'vitest'
import { emptyDraft, newDateOf, problemOf, usualTime } from './date-form.ts'

const noon = new Date(2026, 5, 1, 12)
const draft = { ...emptyDraft(noon), place: 'Café Central' }

test('A new date defaults to seven in the evening, today or, if it is late, tomorrow', () => {
  expect(usualTime(noon)).toBe('2026-06-01T19:00')
  expect(usualTime(new Date(2026, 5, 30, 18, 30))).toBe('2026-07-01T19:00')
})

test('problemOf returns the first problem of the form', () => {
  expect(problemOf(draft, noon)).toBeUndefined()
  expect(problemOf({ ...draft, place: ' ' }, noon)).toBe('place')
  expect(problemOf({ ...draft, when: '' }, noon)).toBe('when')
  expect(problemOf({ ...draft, when: '2026-09-01T19:00' }, noon)).toBe('when')
  expect(problemOf({ ...draft, contact: 'my sister' }, noon)).toBe('contact')
})

test('A date that began long ago can keep its time but can’t move to another past time', () => {
  const began = '2026-05-31T22:00'
  expect(problemOf({ ...draft, when: began }, noon)).toBe('when')
  expect(problemOf({ ...draft, when: began }, noon, began)).toBeUndefined()
  expect(problemOf({ ...draft, when: '2026-05-31T21:00' }, noon, began)).toBe('when')
})

test('A contact without a check-in isn’t sent', () => {
  const at = new Date(2026, 5, 1, 19).toISOString()
  expect(newDateOf({ ...draft, checkIn: '', contact: 'a@example.org' }, 'u_ben')).toEqual({
    place: 'Café Central',
    at,
    withUserId: 'u_ben',
  })
  expect(newDateOf({ ...draft, contact: ' a@example.org ', note: ' By tram ' })).toEqual({
    ...{ place: 'Café Central', at, note: 'By tram', checkInMinutes: 60, contactEmail: 'a@example.org' },
  })
})
