import type { Facts, MyDetails, ProfileChanges } from '@duet/contract/profiles.ts'
import { deviceTexts } from '../../platform/storage.ts'

/** What the form on the own profile holds. */
export interface ProfileFields extends Facts {
  name: string
  bio: string
  gender: MyDetails['gender']
  genderText: string
  pronouns: string
  intents: MyDetails['intents']
  interests: MyDetails['interests']
  prompts: MyDetails['prompts']
}

/** Changes one field of the form. */
export type SetField = <K extends keyof ProfileFields>(key: K, value: ProfileFields[K]) => void

/** The form as the saved profile fills it. */
export function fieldsOf({
  name,
  bio,
  gender,
  genderText,
  pronouns,
  intents,
  interests,
  prompts,
  facts,
}: MyDetails): ProfileFields {
  return { name, bio, gender, genderText, pronouns, intents, interests, prompts, ...facts }
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What was changed in the form and is not saved; answers that are empty are left out. */
export function changesOf(saved: ProfileFields, fields: ProfileFields): Partial<ProfileChanges> {
  const { gender, ...rest } = fields
  const prompts = fields.prompts.filter(({ answer }) => answer.trim())
  const wanted: Partial<ProfileChanges> = { ...rest, prompts, ...(gender && { gender }) }
  const changed = Object.entries(wanted).filter(([key, value]) => !same(value, saved[key as keyof ProfileFields]))
  return Object.fromEntries(changed)
}

/** The fields that were edited again while `sent` was on its way. */
export function changedSince(sent: ProfileFields, now: ProfileFields): Partial<ProfileFields> {
  return Object.fromEntries(
    Object.entries(now).filter(([key, value]) => !same(value, sent[key as keyof ProfileFields])),
  )
}

/** Adds what is not in the list and takes away what is. */
export const toggled = <T>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item]

const draftKey = (id: string) => `profile-draft:${id}`

/** What was changed earlier and never saved. */
export function readProfileDraft(id: string): Partial<ProfileFields> {
  try {
    const stored: unknown = JSON.parse(deviceTexts.read(draftKey(id)) ?? '{}')
    return typeof stored === 'object' && stored !== null ? stored : {}
  } catch {
    return {}
  }
}

/** Keeps unsaved changes over a reload; none lets go of them. */
export function keepProfileDraft(id: string, changes: Partial<ProfileChanges>): void {
  if (Object.keys(changes).length > 0) deviceTexts.write(draftKey(id), JSON.stringify(changes))
  else deviceTexts.remove(draftKey(id))
}
