import type { Facts, MyDetails, ProfileChanges } from '@duet/contract/profiles.ts'
import { isVisible } from '@duet/contract/written-text.ts'
import { isSame } from '../../ui/form/is-same.ts'

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

export type SetField = <K extends keyof ProfileFields>(key: K, value: ProfileFields[K]) => void

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

/** Prepares `changes` for the server. Omits empty answers, and an empty gender, because a gender can't be removed. */
export function sendable({ gender, prompts, ...rest }: Partial<ProfileFields>, saved: ProfileFields): ProfileChanges {
  const answered = prompts?.filter(({ answer }) => isVisible(answer))
  return {
    ...rest,
    ...(gender && { gender }),
    ...(answered && !isSame(answered, saved.prompts) && { prompts: answered }),
  }
}

export const toggled = <T>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item]
