import type { MyDetails, Preferences, ProfileChanges } from '@duet/contract/profiles.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'
import { type Trials, trialKey, useTried } from '../../../platform/query/trials.ts'
import { samePerson } from '../../../platform/session.ts'
import { isSame } from '../../../ui/form/is-same.ts'
import { detailsTrials, keepOwnDetails } from '../../profiles/profiles.ts'
import { type Filters, type Item, wishItems } from './filters.ts'

const items = [...wishItems, 'height'] as const

/** The filters as separately edited and saved fields. Both ages form one field; null means no preference. */
export interface FilterFields extends Record<Item, Preferences[Item] | null> {
  interestedIn: Filters['interestedIn']
  ages: [min: number, max: number]
  maxDistanceKm: Filters['maxDistanceKm']
}

export function filterFieldsOf({ interestedIn, ageMin, ageMax, maxDistanceKm, preferences }: Filters): FilterFields {
  const wishes = Object.fromEntries(items.map((item) => [item, preferences[item] ?? null])) as Record<Item, null>
  return { interestedIn, ages: [ageMin, ageMax], maxDistanceKm, ...wishes }
}

function changed(preferences: Preferences, fields: Partial<FilterFields>): Preferences {
  const wishes = items.map((item) => [item, item in fields ? fields[item] : preferences[item]] as const)
  return Object.fromEntries(wishes.filter(([, wish]) => wish)) as Preferences
}

export function filtersFrom(fields: FilterFields): Filters {
  const { interestedIn, ages, maxDistanceKm } = fields
  return { interestedIn, ageMin: ages[0], ageMax: ages[1], maxDistanceKm, preferences: changed({}, fields) }
}

export function differing(now: Filters, next: Filters): Partial<FilterFields> {
  const before = filterFieldsOf(now)
  const differs = ([key, value]: [string, unknown]) => !isSame(value, before[key as keyof FilterFields])
  return Object.fromEntries(Object.entries(filterFieldsOf(next)).filter(differs))
}

// The server replaces all preferences at once, so first fetch the ones that another device may have changed.
async function send(fields: Partial<FilterFields>): Promise<MyDetails> {
  const { interestedIn, ages, maxDistanceKm } = fields
  const stillMe = samePerson()
  const wishes = items.some((item) => item in fields) && (await call('GET /api/user/myDetails')).preferences
  stillMe()
  const body: ProfileChanges = {
    ...(interestedIn && { interestedIn }),
    ...(ages && { ageMin: ages[0], ageMax: ages[1] }),
    ...(maxDistanceKm !== undefined && { maxDistanceKm }),
    ...(wishes && { preferences: changed(wishes, fields) }),
  }
  return call('PATCH /api/user/updateUser', { body })
}

const filterTrials: Trials<FilterFields, Partial<FilterFields>> = {
  queryKey: [...detailsTrials.queryKey, 'filters'],
  apply: (fields, changes) => ({ ...fields, ...changes }),
}

export function useTriedFilters(saved: Filters): Filters {
  const fields = filterFieldsOf(saved)
  return filtersFrom(useTried(filterTrials, fields) ?? fields)
}

/** Shares a scope with `useUpdateUser`, so that requests run one at a time. */
export function useUpdateFilters() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: trialKey(filterTrials.queryKey),
    scope: { id: 'me' },
    mutationFn: send,
    onSuccess: (details) => keepOwnDetails(queryClient, details),
  })
}
