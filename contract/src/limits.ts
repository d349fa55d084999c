/** The numbers both sides check against. Lengths are in characters. */
export const limits = {
  nameLength: 40,
  bioLength: 500,
  genderTextLength: 40,
  pronounsLength: 40,
  emailLength: 254,
  passwordMin: 8,
  passwordMax: 128,
  messageLength: 2000,
  prompts: 3,
  promptAnswerLength: 300,
  interests: 10,
  intents: 4,
  photos: 6,
  photoBytes: 8 * 1024 * 1024,
  altLength: 200,
  adultAge: 18,
  oldestAge: 120,
  ageFilterMax: 99,
} as const

/** Distances a person may filter by, in km; `null` is anywhere. They are bucket edges (design: nobody can be located). */
export const distanceFilters = [5, 10, 25, 50, 100] as const

export const genders = ['woman', 'man', 'nonbinary'] as const
export const intents = ['relationship', 'dating', 'friendship', 'open'] as const
