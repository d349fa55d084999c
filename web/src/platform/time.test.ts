import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { startI18n } from './i18n.ts'
import { relativeTime } from './time.ts'

const now = new Date('2026-11-21T12:00:00Z')
const seconds = (count: number) => new Date(now.getTime() - count * 1000).toISOString()
const label = (secondsAgo: number) => relativeTime(seconds(secondsAgo), now, i18next.t, i18next.language)
const minute = 60
const hour = 60 * minute
const day = 24 * hour

beforeAll(async () => {
  await startI18n('en')
})

test('a time less than a minute ago is "Just now"', () => {
  expect(label(0)).toBe('Just now')
  expect(label(59)).toBe('Just now')
})

test('a time in the future is "Just now", since clocks differ', () => {
  expect(label(-30)).toBe('Just now')
})

test('a time between a minute and an hour ago is shown in minutes', () => {
  expect(label(minute)).toBe('1 minute ago')
  expect(label(2 * minute)).toBe('2 minutes ago')
  expect(label(hour - 1)).toBe('59 minutes ago')
})

test('a time between an hour and a day ago is shown in hours', () => {
  expect(label(hour)).toBe('1 hour ago')
  expect(label(day - 1)).toBe('23 hours ago')
})

test('a time one day ago is "Yesterday"', () => {
  expect(label(day)).toBe('Yesterday')
  expect(label(2 * day - 1)).toBe('Yesterday')
})

test('a time two days ago or more is a date in the language’s format', () => {
  expect(label(2 * day)).toBe(new Date(seconds(2 * day)).toLocaleDateString('en'))
})

test('relative times use the plural forms of Arabic and Spanish', async () => {
  await i18next.changeLanguage('ar')
  expect(label(2 * minute)).toBe('قبل دقيقتين')
  await i18next.changeLanguage('es')
  expect(label(hour)).toBe('hace 1 hora')
})
