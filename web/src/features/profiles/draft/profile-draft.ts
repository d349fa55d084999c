import type { MyDetails } from '@duet/contract/profiles.ts'
import { useEffect, useState } from 'react'
import { textsOf } from '../../../platform/personal/personal.ts'
import type { Edits, EditsState } from '../../../ui/form/use-edits.ts'
import type { ProfileFields } from '../profile-fields.ts'

type Draft = Edits<ProfileFields>

const isText = (value: unknown) => typeof value === 'string'
const isChoice = (value: unknown) => value === null || isText(value)
const isNumberOrNull = (value: unknown) => value === null || typeof value === 'number'
const isList = (value: unknown) => Array.isArray(value) && value.every(isText)
const isAnswer = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  'prompt' in value &&
  isText(value.prompt) &&
  'answer' in value &&
  isText(value.answer)

const readable: { [K in keyof ProfileFields]: (value: unknown) => boolean } = {
  name: isText,
  bio: isText,
  genderText: isText,
  pronouns: isText,
  intents: isList,
  interests: isList,
  languages: isList,
  gender: isChoice,
  children: isChoice,
  smoking: isChoice,
  drinking: isChoice,
  diet: isChoice,
  faith: isChoice,
  heightCm: isNumberOrNull,
  prompts: (value) => Array.isArray(value) && value.every(isAnswer),
}

function isReadable([key, edit]: [string, unknown]): boolean {
  const check = Object.hasOwn(readable, key) && readable[key as keyof ProfileFields]
  return check && typeof edit === 'object' && edit !== null && 'from' in edit && 'to' in edit && check(edit.to)
}

/** Ignores edits that a different version of the app stored in another shape. */
export function readProfileDraft(userId: string): Draft {
  try {
    const stored: unknown = JSON.parse(textsOf(userId).read('profile-draft') ?? '{}')
    return Object.fromEntries(Object.entries(stored ?? {}).filter(isReadable)) as Draft
  } catch {
    return {}
  }
}

/** Returns false if the browser can't store the edits. */
export function keepProfileDraft(userId: string, draft: Draft): boolean {
  if (Object.keys(draft).length > 0) return textsOf(userId).write('profile-draft', JSON.stringify(draft))
  textsOf(userId).remove('profile-draft')
  return true
}

/** Unsaved profile edits, shared by all tabs. `isKept` is true if they survive a reload. */
export function useProfileDraft({ id }: Pick<MyDetails, 'id'>): { state: EditsState<ProfileFields>; isKept: boolean } {
  const [draft, setDraft] = useState(() => readProfileDraft(id))
  const [isKept, setKept] = useState(true)
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === textsOf(id).keyOf('profile-draft')) setDraft(readProfileDraft(id))
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [id])
  const update = (change: (now: Draft) => Draft) => {
    const next = change(readProfileDraft(id))
    setKept(keepProfileDraft(id, next))
    setDraft(next)
  }
  return { state: [draft, update], isKept }
}
