import type { Deck, Pool } from '@duet/contract/discovery.ts'
import type { MyDetails, Profile } from '@duet/contract/profiles.ts'
import type { CallResponse } from '../platform/call.ts'

const photoOf = (fileName: string) => ({
  ...{ fileName, url: `/media/${fileName}?x`, alt: '', width: 640, height: 853 },
  blurhash: 'LSMj]DNG~qt7xuayWBj[xuofRjWB',
})

export function aProfile(name: string, changes: Partial<Profile> = {}): Profile {
  return {
    ...{ id: name.toLowerCase(), name, age: 31, images: [], bio: '', distanceKm: 5, area: 'Berlin', active: 'today' },
    ...{ photos: [photoOf(`${name}-1`), photoOf(`${name}-2`)], interests: ['cats', 'dogs'], verified: true },
    reasons: [],
    why: [
      { kind: 'interest', params: { interest: 'cats' } },
      { kind: 'language', params: { language: 'pt' } },
    ],
    ...{
      gender: 'woman',
      genderText: '',
      pronouns: '',
      intents: ['relationship'],
      questions: { agreed: 14, asked: 16 },
    },
    prompts: [{ prompt: 'proud_of', answer: `${name} bakes bread.` }],
    facts: {
      ...{ heightCm: 172, children: 'open', smoking: 'never', drinking: null, diet: null, faith: null },
      languages: ['pt', 'en'],
    },
    ...{ myDecision: null, matched: false, canLike: true, mayMessage: true },
    ...changes,
  }
}

export const tomorrow = new Date(Date.now() + 5 * 3_600_000).toISOString()
export const likesToday = (likes: number, limit: number | null = 100) => ({ likes, limit, resetsAt: tomorrow })

export const aDeck = (cards: Profile[], changes: Partial<Deck> = {}): Deck => ({
  cards,
  state: 'ready',
  today: likesToday(12),
  ...{ undoable: 0, undoNext: null },
  ...changes,
})

export const anAnswer = (
  decision: 'like' | 'pass' | 'later',
  changes: Partial<CallResponse<'PUT /api/decisions/:userId'>> = {},
): CallResponse<'PUT /api/decisions/:userId'> => ({
  ...{ decision, match: null, today: likesToday(13), undoable: 1, undoNext: null },
  ...changes,
})

export const aPool = (changes: Partial<Pool> = {}): Pool => ({
  iSee: 50,
  seeMe: 20,
  both: 10,
  wideners: [],
  ...changes,
})

export function myDetails(changes: Partial<MyDetails> = {}): MyDetails {
  const details: Partial<MyDetails> = {
    ...{ id: 'u_jun', name: 'Jun', gender: 'man', area: 'Berlin', interests: ['cats'], interestedIn: ['woman'] },
    ...{ ageMin: 27, ageMax: 38, maxDistanceKm: 25, preferences: {}, paused: false, onboardingComplete: true },
    ...{ images: [], photos: [], isSuperAdmin: false },
    ...changes,
  }
  return details as MyDetails
}
