import { expect, it } from 'vitest'
import { theirDate } from './age.ts'

it.each([
  ['the zone furthest ahead', 'Pacific/Kiritimati', '2026-05-17T09:59:00Z', '2026-05-17'],
  ['the zone furthest ahead', 'Pacific/Kiritimati', '2026-05-17T10:00:00Z', '2026-05-18'],
  ['a half-hour zone', 'Asia/Kolkata', '2025-12-31T18:29:00Z', '2025-12-31'],
  ['a half-hour zone', 'Asia/Kolkata', '2025-12-31T18:30:00Z', '2026-01-01'],
  ['the zone furthest behind', 'Etc/GMT+12', '2026-05-17T11:59:00Z', '2026-05-16'],
  ['the zone furthest behind', 'Etc/GMT+12', '2026-05-17T12:00:00Z', '2026-05-17'],
  ['UTC, without a zone', undefined, '2026-05-17T23:59:00Z', '2026-05-17'],
  ['UTC, for an unknown zone', 'Mars/Olympus_Mons', '2026-05-17T23:59:00Z', '2026-05-17'],
  ['UTC, for an offset ahead', '+23:59', '2026-05-17T23:59:00Z', '2026-05-17'],
  ['UTC, for an offset behind', '-23:59', '2026-05-17T00:00:00Z', '2026-05-17'],
])('The date in %s (%s) at %s is %s', (_what, timeZone, moment, date) => {
  expect(theirDate(timeZone, new Date(moment))).toBe(date)
})
