import { z } from 'zod'
import { Gender, InterestedIn, Name } from './accounts.ts'
import { interestIds, promptIds } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { Timestamp, UserId } from './ids.ts'
import { distanceFilters, intents, limits } from './limits.ts'
import { OwnPhoto, Photo } from './photos.ts'

const text = (max: number) =>
  z
    .string()
    .transform((value) =>
      value
        .normalize('NFC')
        .replace(/[^\P{C}\n]/gu, '')
        .trim(),
    )
    .pipe(z.string().max(max))

export const Activity = z.enum(['online', 'today', 'week', 'earlier'])
export type Activity = z.infer<typeof Activity>
export const Intent = z.enum(intents)
export const InterestId = z.enum(interestIds)
export const PromptAnswer = z.strictObject({
  prompt: z.enum(promptIds),
  answer: text(limits.promptAnswerLength).pipe(z.string().min(1)),
})
export type PromptAnswer = z.infer<typeof PromptAnswer>
/** An answer as it is shown. */
const PromptView = z.object({ prompt: z.enum(promptIds), answer: z.string() })

/** A person in a list. `distanceKm` is the upper bound of a bucket (2, 5, 10, 25, 50, 100), null beyond or unknown. */
export const ProfileCard = z.object({
  id: UserId,
  name: z.string(),
  age: z.int(),
  images: z.array(z.string()),
  photos: z.array(Photo),
  distanceKm: z.int().nullable(),
  area: z.string().nullable(),
  bio: z.string(),
  interests: z.array(InterestId),
  active: Activity,
  verified: z.boolean(),
  reasons: z.array(z.string()),
})
export type ProfileCard = z.infer<typeof ProfileCard>

/** A person's page, as this viewer may see it. */
export const Profile = ProfileCard.extend({
  gender: Gender.nullable(),
  genderText: z.string(),
  pronouns: z.string(),
  intents: z.array(Intent),
  prompts: z.array(PromptView),
})
export type Profile = z.infer<typeof Profile>

/** What may be changed with updateUser. The birth date is fixed at sign-up. */
export const ProfileChanges = z
  .strictObject({
    name: Name,
    gender: Gender,
    genderText: text(limits.genderTextLength),
    pronouns: text(limits.pronounsLength),
    bio: text(limits.bioLength),
    intents: z
      .array(Intent)
      .max(limits.intents)
      .transform((list) => [...new Set(list)]),
    interests: z
      .array(InterestId)
      .max(limits.interests)
      .transform((list) => [...new Set(list)]),
    prompts: z
      .array(PromptAnswer)
      .max(limits.prompts)
      .refine((list) => new Set(list.map((item) => item.prompt)).size === list.length, 'each prompt once'),
    interestedIn: InterestedIn,
    ageMin: z.int().min(limits.adultAge).max(limits.ageFilterMax),
    ageMax: z.int().min(limits.adultAge).max(limits.ageFilterMax),
    maxDistanceKm: z.literal(distanceFilters).nullable(),
    /** My photos in the order I want them: a permutation of what I have. */
    images: z.array(z.string().max(255)).max(limits.photos),
  })
  .partial()
export type ProfileChanges = z.output<typeof ProfileChanges>

export const CompletenessItem = z.object({
  item: z.enum(['photo', 'more_photos', 'place', 'gender', 'interested_in', 'intents', 'bio', 'prompts', 'interests']),
  done: z.boolean(),
  /** Share of the whole, in percent. */
  weight: z.int(),
})
export type CompletenessItem = z.infer<typeof CompletenessItem>

/** My own profile: everything I may edit, photos with their review state, preferences, completeness. */
export const MyDetails = z.object({
  id: UserId,
  email: z.string(),
  name: z.string(),
  birthDate: z.iso.date(),
  age: z.int(),
  gender: Gender.nullable(),
  genderText: z.string(),
  pronouns: z.string(),
  bio: z.string(),
  intents: z.array(Intent),
  interests: z.array(InterestId),
  prompts: z.array(PromptView),
  interestedIn: z.array(Gender),
  ageMin: z.int(),
  ageMax: z.int(),
  maxDistanceKm: z.literal(distanceFilters).nullable(),
  images: z.array(z.string()),
  photos: z.array(OwnPhoto),
  area: z.string().nullable(),
  verified: z.boolean(),
  isSuperAdmin: z.boolean(),
  onboardingComplete: z.boolean(),
  completeness: z.object({ percent: z.int(), items: z.array(CompletenessItem) }),
  createdAt: Timestamp,
})
export type MyDetails = z.infer<typeof MyDetails>

export const getMyDetails = endpoint({
  method: 'GET',
  path: '/api/user/myDetails',
  summary: 'My own profile.',
  access: 'member',
  response: MyDetails,
})

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/api/user/updateUser',
  summary: 'Change any part of my profile and preferences.',
  access: 'member',
  body: ProfileChanges,
  response: MyDetails,
})

export const getUser = endpoint({
  method: 'GET',
  path: '/api/user/:id',
  summary: "A person's page. Blocked, hidden and missing people are the same 404.",
  access: 'member',
  params: z.object({ id: UserId }),
  response: Profile,
  errors: ['not_found'],
})

export const profileEndpoints = [getMyDetails, updateUser, getUser] as const
