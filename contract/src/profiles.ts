import { z } from 'zod'
import { Gender, InterestedIn, Name } from './accounts.ts'
import { interestIds, promptIds } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { Timestamp, UserId } from './ids.ts'
import { childrenWishes, diets, distanceFilters, faiths, frequencies, intents, languages, limits } from './limits.ts'
import { OwnPhoto, Photo } from './photos.ts'
import { optionalLine, optionalProse } from './prose.ts'
import { rateLimits } from './rate-limits.ts'

export const Activity = z.enum(['online', 'today', 'week', 'earlier'])
export type Activity = z.infer<typeof Activity>
export const Intent = z.enum(intents)
export const InterestId = z.enum(interestIds)
export const PromptAnswer = z.strictObject({
  prompt: z.enum(promptIds),
  answer: optionalProse(limits.promptAnswerLength),
})
export type PromptAnswer = z.infer<typeof PromptAnswer>
const PromptView = z.object({ prompt: z.enum(promptIds), answer: z.string() })

export const Children = z.enum(childrenWishes)
export const Frequency = z.enum(frequencies)
export const Diet = z.enum(diets)
export const Faith = z.enum(faiths)
export const Language = z.enum(languages)

export const Facts = z.object({
  heightCm: z.int().nullable(),
  children: Children.nullable(),
  smoking: Frequency.nullable(),
  drinking: Frequency.nullable(),
  diet: Diet.nullable(),
  languages: z.array(Language),
  faith: Faith.nullable(),
})
export type Facts = z.infer<typeof Facts>

/**
 * Why this person is shown to the viewer. Only mutual facts that are true and that the viewer may see. `params`
 * contains catalogue ids, or numbers as text.
 */
export const Reason = z.object({
  kind: z.enum([
    'interest',
    'intent',
    'questions',
    'near',
    'active_today',
    'new_here',
    'language',
    'children',
    'smoking',
    'drinking',
    'outside_your_usual',
  ]),
  params: z.record(z.string(), z.string()),
})
export type Reason = z.infer<typeof Reason>

/**
 * A person in a list. `distanceKm` is the upper bound of a distance bucket (2, 5, 10, 25, 50, 100); null if farther
 * away or unknown. `reasons` lists the facts of `why` in English.
 */
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
  why: z.array(Reason),
})
export type ProfileCard = z.infer<typeof ProfileCard>

export const Decision = z.enum(['like', 'pass', 'later'])
export type Decision = z.infer<typeof Decision>

/**
 * A person as this viewer may see them. `questions` counts the questions that both answered, and those of them on which
 * they agree.
 */
export const Profile = ProfileCard.extend({
  gender: Gender.nullable(),
  genderText: z.string(),
  pronouns: z.string(),
  intents: z.array(Intent),
  prompts: z.array(PromptView),
  facts: Facts,
  questions: z.object({ agreed: z.int(), asked: z.int() }),
  myDecision: Decision.nullable(),
  matched: z.boolean(),
  canLike: z.boolean(),
  mayMessage: z.boolean(),
})
export type Profile = z.infer<typeof Profile>

const wish = <T extends z.ZodType>(value: T) =>
  z.strictObject({ accepts: z.array(value).max(31), dealbreaker: z.boolean() })

/**
 * What the viewer looks for in others. An empty list accepts everything. A dealbreaker hides people who gave another
 * answer, in both directions; otherwise the preference only affects ranking. People without an answer are never hidden.
 */
export const Preferences = z.strictObject({
  intents: wish(Intent).optional(),
  children: wish(Children).optional(),
  smoking: wish(Frequency).optional(),
  drinking: wish(Frequency).optional(),
  diet: wish(Diet).optional(),
  languages: wish(Language).optional(),
  height: z
    .strictObject({
      min: z.int().min(limits.heightMin).max(limits.heightMax),
      max: z.int().min(limits.heightMin).max(limits.heightMax),
      dealbreaker: z.boolean(),
    })
    .refine(({ min, max }) => min <= max, 'the lowest comes first')
    .optional(),
})
export type Preferences = z.infer<typeof Preferences>

/** Has no birth date, which can't change after sign-up. */
export const ProfileChanges = z
  .strictObject({
    name: Name,
    gender: Gender,
    genderText: optionalLine(limits.genderTextLength),
    pronouns: optionalLine(limits.pronounsLength),
    bio: optionalProse(limits.bioLength),
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
      .refine((list) => new Set(list.map((item) => item.prompt)).size === list.length, 'each prompt once')
      // Empty answers are dropped rather than rejected, because the app sends the whole list with each change, and the
      // list may contain old answers.
      .transform((list) => list.filter(({ answer }) => answer !== '')),
    interestedIn: InterestedIn,
    ageMin: z.int().min(limits.adultAge).max(limits.ageFilterMax),
    ageMax: z.int().min(limits.adultAge).max(limits.ageFilterMax),
    maxDistanceKm: z.literal(distanceFilters).nullable(),
    heightCm: z.int().min(limits.heightMin).max(limits.heightMax).nullable(),
    children: Children.nullable(),
    smoking: Frequency.nullable(),
    drinking: Frequency.nullable(),
    diet: Diet.nullable(),
    faith: Faith.nullable(),
    languages: z
      .array(Language)
      .max(limits.languages)
      .transform((list) => [...new Set(list)]),
    /** Replaces all preferences. Any left out are cleared. */
    preferences: Preferences,
    paused: z.boolean(),
    learnFromMe: z.boolean(),
    readReceipts: z.boolean(),
    /** My photos in their new order: a permutation of the current list. */
    images: z.array(z.string().max(255)).max(limits.photos),
  })
  .partial()
export type ProfileChanges = z.output<typeof ProfileChanges>

export const CompletenessItem = z.object({
  item: z.enum([
    'photo',
    'more_photos',
    'place',
    'gender',
    'interested_in',
    'intents',
    'bio',
    'prompts',
    'interests',
    'facts',
    'questions',
  ]),
  done: z.boolean(),
  weight: z.int(),
  /** How many more answers, photos or characters are needed to complete the item. */
  missing: z.int().optional(),
})
export type CompletenessItem = z.infer<typeof CompletenessItem>

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
  facts: Facts,
  preferences: Preferences,
  paused: z.boolean(),
  learnFromMe: z.boolean(),
  readReceipts: z.boolean(),
  images: z.array(z.string()),
  photos: z.array(OwnPhoto),
  area: z.string().nullable(),
  verified: z.boolean(),
  isSuperAdmin: z.boolean(),
  onboardingComplete: z.boolean(),
  completeness: z.object({ percent: z.int(), items: z.array(CompletenessItem) }),
  createdAt: Timestamp,
  eraseAt: Timestamp.optional(),
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
  limit: rateLimits.profileChanges,
  body: ProfileChanges,
  response: MyDetails,
  errors: ['rate_limited'],
})

export const getUser = endpoint({
  method: 'GET',
  path: '/api/user/:id',
  summary: "A person's page. Blocked, hidden and missing people are the same 404.",
  access: 'member',
  limit: rateLimits.profileVisits,
  params: z.object({ id: UserId }),
  response: Profile,
  errors: ['not_found'],
})

export const profileEndpoints = [getMyDetails, updateUser, getUser] as const
