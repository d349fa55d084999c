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
  /** A message can be edited or taken back for so long, in minutes. */
  changeMinutes: 15,
  /** How often the sender can edit one message within its edit time. */
  messageEdits: 30,
  voiceBytes: 2 * 1024 * 1024,
  voiceSeconds: 120,
  waveformBars: 64,
  prompts: 3,
  promptAnswerLength: 300,
  interests: 10,
  intents: 4,
  photos: 6,
  photoBytes: 8 * 1024 * 1024,
  /** The least width and height of a photo of a profile, in pixels. */
  photoSide: 200,
  altLength: 200,
  adultAge: 18,
  oldestAge: 120,
  ageFilterMax: 99,
  heightMin: 120,
  heightMax: 230,
  languages: 5,
  commentLength: 300,
  /** What a reporter may add in their own words. */
  reportDetailsLength: 1000,
  /** What a decision says to the person, and what an appeal says and is answered. */
  statementMin: 20,
  statementLength: 2000,
  /** Why an administrator looks at something, or an internal note. */
  reasonLength: 500,
  /** A sanction can be appealed for so many months. */
  appealMonths: 6,
  /** The longest restriction or suspension, in days. */
  sanctionDays: 365,
  /** A decision can be undone for so long, in minutes. */
  undoMinutes: 10,
  /** Words whose messages are folded. */
  hiddenWords: 50,
  hiddenWordLength: 40,
  /** Of a date that is shared: where, and what else there is to say. */
  datePlaceLength: 200,
  dateNoteLength: 500,
  /** How many cards one answer of the deck may hold. */
  deckPage: 10,
} as const

/** Distances a person may filter by, in km; `null` is anywhere. They are bucket edges (design: no one can be located). */
export const distanceFilters = [5, 10, 25, 50, 100] as const

export const genders = ['woman', 'man', 'nonbinary'] as const
export const intents = ['relationship', 'dating', 'friendship', 'open'] as const

/** Who may send a person a first message; matches always may. */
export const messagePolicies = ['everyone', 'liked_or_matched', 'verified', 'with_photo'] as const

/** How long after the start of a date a person can ask for their check-in. */
export const checkInMinutes = [30, 60, 120, 180] as const

/** Why a person is reported, gravest first. */
export const reportReasons = [
  'underage',
  'threats',
  'sextortion',
  'scam',
  'fake_profile',
  'harassment',
  'hate',
  'sexual_content',
  'offline_harm',
  'spam',
  'other',
] as const

/** The community rules that a decision can cite as its ground. */
/** The profile texts that a decision can remove; `descriptions` are the photo descriptions. */
export const profileParts = ['bio', 'prompts', 'name', 'genderText', 'pronouns', 'descriptions'] as const
export const communityRules = [
  'underage',
  'threats',
  'sextortion',
  'scam',
  'fake_profile',
  'harassment',
  'hate',
  'sexual_content',
  'offline_harm',
  'spam',
  'evasion',
  'false_reports',
  'other',
] as const

export const childrenWishes = ['have', 'have_and_want_more', 'want', 'open', 'do_not_want'] as const
export const frequencies = ['never', 'sometimes', 'often'] as const
export const diets = ['everything', 'pescatarian', 'vegetarian', 'vegan', 'halal', 'kosher'] as const
export const faiths = [
  'agnostic',
  'atheist',
  'buddhist',
  'christian',
  'hindu',
  'jewish',
  'muslim',
  'sikh',
  'spiritual',
  'other',
] as const
/** What Duet itself speaks: its screens and its mails. */
export const appLanguages = ['en', 'es', 'ar'] as const
/** ISO 639-1; at most 31, since a set of them is kept as a mask. */
export const languages = [
  'ar',
  'bn',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fa',
  'fi',
  'fr',
  'he',
  'hi',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'no',
  'pl',
  'pt',
  'ro',
  'ru',
  'sv',
  'sw',
  'tr',
  'uk',
  'ur',
  'vi',
  'zh',
] as const

/**
 * What notifications are about, as people choose between them; 'safety' is what can't wait: whether one is well after a
 * date, and sign-ins on new devices.
 */
export const notificationTopics = ['match', 'message', 'like', 'nearby', 'safety', 'account'] as const
export type NotificationTopic = (typeof notificationTopics)[number]

/** Those that may stay out of the list of notifications: what is about safety and the account is always in it. */
export const inAppTopics = ['match', 'message', 'like', 'nearby'] as const satisfies readonly NotificationTopic[]

/** How much a device shows while it is locked, from least to most: that there is something, who, or who and what. */
export const lockScreens = ['nothing', 'name', 'text'] as const
export type LockScreen = (typeof lockScreens)[number]

/** When news of a topic is mailed: within hours, once a day or a week, or not at all. */
export const mailTimes = ['now', 'daily', 'weekly', 'never'] as const
export type MailTime = (typeof mailTimes)[number]

/** The header of GET /api/messages/history with the cursor for the first get_conversations. Only a whole list has one. */
export const listCursorHeader = 'duet-list-cursor'
