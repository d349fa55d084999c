/** Limits that both the server and the web app enforce. Lengths are in characters. */
export const limits = {
  nameLength: 40,
  bioLength: 500,
  genderTextLength: 40,
  pronounsLength: 40,
  emailLength: 254,
  passwordMin: 8,
  passwordMax: 128,
  messageLength: 2000,
  /** The time limit for editing or deleting a message, in minutes. */
  changeMinutes: 15,
  /** The maximum number of edits to one message within `changeMinutes`. */
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
  /** The minimum width and height of a profile photo, in pixels. */
  photoSide: 200,
  altLength: 200,
  adultAge: 18,
  oldestAge: 120,
  ageFilterMax: 99,
  heightMin: 120,
  heightMax: 230,
  languages: 5,
  commentLength: 300,
  reportDetailsLength: 1000,
  /** For statements of reasons, appeals and replies to appeals. */
  statementMin: 20,
  statementLength: 2000,
  /** For an administrator's reason for viewing something, and for internal notes. */
  reasonLength: 500,
  /** The time limit for appealing a sanction, in months. */
  appealMonths: 6,
  /** The longest possible restriction or suspension, in days. */
  sanctionDays: 365,
  /** The time limit for undoing a decision, in minutes. */
  undoMinutes: 10,
  /** The maximum number of hidden words. Messages that contain one are collapsed. */
  hiddenWords: 50,
  hiddenWordLength: 40,
  datePlaceLength: 200,
  dateNoteLength: 500,
  deckPage: 10,
} as const

/**
 * Filter choices for the distance in km; null means any distance. They coincide with the edges of the displayed
 * distance buckets, so filtering can't narrow down where someone is.
 */
export const distanceFilters = [5, 10, 25, 50, 100] as const

export const genders = ['woman', 'man', 'nonbinary'] as const
export const intents = ['relationship', 'dating', 'friendship', 'open'] as const

export const messagePolicies = ['everyone', 'liked_or_matched', 'verified', 'with_photo'] as const

/** Choices for how long after the start of a date the check-in is due. */
export const checkInMinutes = [30, 60, 120, 180] as const

/** From most to least serious. */
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

/** The profile texts that a moderator can remove; `descriptions` are the alt texts of photos. */
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
/** The languages of Duet's own screens and emails. */
export const appLanguages = ['en', 'es', 'ar'] as const
/** ISO 639-1 codes. At most 31, because a set of languages is stored as a bit mask. */
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
 * The topics of the notification settings. `safety` is for urgent notifications: date check-ins and sign-ins on new
 * devices.
 */
export const notificationTopics = ['match', 'message', 'like', 'nearby', 'safety', 'account'] as const
export type NotificationTopic = (typeof notificationTopics)[number]

/** Topics that can be hidden from the list of notifications. Safety and account notifications are always listed. */
export const inAppTopics = ['match', 'message', 'like', 'nearby'] as const satisfies readonly NotificationTopic[]

/** How much a push shows on a locked screen: only that there is a notification, the name, or the name and the text. */
export const lockScreens = ['nothing', 'name', 'text'] as const
export type LockScreen = (typeof lockScreens)[number]

/** When unread notifications on a topic are emailed: within hours, daily, weekly or never. */
export const mailTimes = ['now', 'daily', 'weekly', 'never'] as const
export type MailTime = (typeof mailTimes)[number]

/**
 * A header of GET /api/messages/history: the cursor for the first get_conversations. Set only when the response
 * contains the whole list.
 */
export const listCursorHeader = 'duet-list-cursor'
