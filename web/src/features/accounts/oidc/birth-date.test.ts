import { expect, test } from 'vitest'
import { judgeBirth, toIsoDate } from './birth-date.ts'

const today = new Date(2026, 10, 21)

test('toIsoDate pads the day and the month to two digits', () => {
  expect(toIsoDate({ day: '7', month: '5', year: '1994' })).toBe('1994-05-07')
})

test('toIsoDate rejects days that aren’t in the calendar', () => {
  expect(toIsoDate({ day: '30', month: '2', year: '1994' })).toBeUndefined()
  expect(toIsoDate({ day: '1', month: '13', year: '1994' })).toBeUndefined()
  expect(toIsoDate({ day: '29', month: '2', year: '1996' })).toBe('1996-02-29')
})

test('The age goes up at midnight of the birthday in the device’s time zone', () => {
  for (const now of [new Date(2026, 10, 21, 0, 0), new Date(2026, 10, 21, 23, 59)]) {
    expect(judgeBirth({ day: '22', month: '11', year: '1994' }, now)).toMatchObject({ age: 31 })
    expect(judgeBirth({ day: '21', month: '11', year: '1994' }, now)).toMatchObject({ age: 32 })
  }
})

test('A person is an adult from the eighteenth birthday on', () => {
  expect(judgeBirth({ day: '21', month: '11', year: '2008' }, today)).toMatchObject({ kind: 'adult', age: 18 })
  expect(judgeBirth({ day: '22', month: '11', year: '2008' }, today)).toEqual({ kind: 'young' })
})

test('An incomplete date isn’t judged yet', () => {
  expect(judgeBirth({ day: '21', month: '11', year: '200' }, today)).toEqual({ kind: 'unfinished' })
})

test('A birthday in the future or the distant past is wrong', () => {
  expect(judgeBirth({ day: '1', month: '1', year: '2030' }, today)).toEqual({ kind: 'wrong' })
  expect(judgeBirth({ day: '1', month: '1', year: '1850' }, today)).toEqual({ kind: 'wrong' })
})
