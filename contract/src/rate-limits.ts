/** Allows each person `points` uses per `seconds`. */
export interface RateLimit {
  /** Endpoints whose limits have the same name share one counter. */
  name: string
  points: number
  seconds: number
  /** Counts by network (an IPv4 address or an IPv6 /64) or by session, instead of by person. */
  by?: 'network' | 'session'
  /**
   * Counted in the database, so that the limit holds across processes and restarts. For expensive operations and
   * guessable secrets.
   */
  isShared?: true
  /**
   * Doesn't count requests that fail or that the handler refuses. For actions that change something. Not for reads, for
   * guessable secrets, or for requests that make the server call or email someone.
   */
  isRefunded?: true
}

const hour = 3_600
const day = 86_400

/**
 * The limits of single endpoints and events, in addition to the general limit on all requests. They are checked before
 * any database lookup; limits that depend on data are next to the code that reads the data.
 */
export const rateLimits = {
  codeNetwork: { name: 'code_network', points: 30, seconds: 600, by: 'network', isShared: true },
  codeChecks: { name: 'code_checks', points: 100, seconds: 300, by: 'network', isShared: true },
  languages: { name: 'languages', points: 60, seconds: hour, isShared: true, isRefunded: true },
  passwordChanges: { name: 'password_changes', points: 20, seconds: hour, isShared: true },
  addressChanges: { name: 'address_changes', points: 10, seconds: day, isShared: true },
  addressUndos: { name: 'address_undos', points: 30, seconds: hour, by: 'network', isShared: true },
  // High enough for everyone at a club, behind a single IP address, to sign in on the same evening.
  oidcStarts: { name: 'oidc_starts', points: 120, seconds: 600, by: 'network', isShared: true },
  oidcFinishes: { name: 'oidc_finishes', points: 120, seconds: 600, by: 'network', isShared: true },
  identityChanges: { name: 'identity_changes', points: 20, seconds: hour, isShared: true },
  profileChanges: { name: 'profile_changes', points: 120, seconds: 60, isRefunded: true },
  profileVisits: { name: 'profile_visits', points: 120, seconds: 60 },
  photoChanges: { name: 'photo_changes', points: 60, seconds: 60, isRefunded: true },
  placeSearches: { name: 'place_searches', points: 120, seconds: 60, by: 'network' },
  locationSayings: { name: 'location_sayings', points: 60, seconds: 60, isRefunded: true },
  nearbyPages: { name: 'nearby_pages', points: 60, seconds: 60 },
  deckPages: { name: 'deck_pages', points: 120, seconds: 60 },
  poolMeasures: { name: 'pool_measures', points: 40, seconds: 60 },
  decisions: { name: 'decisions', points: 1_000, seconds: 1_200 },
  decisionsTakenBack: { name: 'decisions_taken_back', points: 60, seconds: 60 },
  likesPages: { name: 'likes_pages', points: 60, seconds: 60 },
  matchLists: { name: 'match_lists', points: 60, seconds: 60 },
  matchEndings: { name: 'match_endings', points: 60, seconds: 60, isRefunded: true },
  learningResets: { name: 'learning_resets', points: 20, seconds: hour, isRefunded: true },
  conversationLists: { name: 'conversation_lists', points: 300, seconds: 60 },
  conversationOpenings: { name: 'conversation_openings', points: 120, seconds: 60 },
  conversationChanges: { name: 'conversation_changes', points: 120, seconds: 60, isRefunded: true },
  messages: { name: 'messages', points: 120, seconds: 60 },
  messageChanges: { name: 'message_changes', points: 120, seconds: 60, isRefunded: true },
  messageSearches: { name: 'message_searches', points: 20, seconds: 60 },
  attachmentUploads: { name: 'attachment_uploads', points: 30, seconds: 600, isShared: true, isRefunded: true },
  notificationChanges: { name: 'notification_changes', points: 1_200, seconds: hour, isRefunded: true },
  notificationPreferences: { name: 'notification_preferences', points: 120, seconds: hour, isRefunded: true },
  pushDevices: { name: 'push_devices', points: 60, seconds: hour, isShared: true, isRefunded: true },
  pushTests: { name: 'push_tests', points: 10, seconds: hour, isShared: true },
  // Large mailbox providers send one-click unsubscribe requests for many people from a few networks.
  unsubscribing: { name: 'unsubscribing', points: 1_000, seconds: 60, by: 'network' },
  mailChanges: { name: 'mail_changes', points: 20, seconds: hour, isShared: true, isRefunded: true },
  blocks: { name: 'blocks', points: 600, seconds: hour, isRefunded: true },
  privacyChanges: { name: 'privacy_changes', points: 60, seconds: hour, isShared: true, isRefunded: true },
  reportRepeats: { name: 'report_repeats', points: 60, seconds: hour, isRefunded: true },
  pastContacts: { name: 'past_contacts', points: 60, seconds: 60 },
  moderationDecisions: { name: 'moderation_decisions', points: 300, seconds: hour, isShared: true, isRefunded: true },
  photoReviews: { name: 'photo_reviews', points: 3_000, seconds: hour, isRefunded: true },
  dossiers: { name: 'dossiers', points: 120, seconds: hour, isShared: true },
  auditVerifications: { name: 'audit_verifications', points: 20, seconds: hour },
  claims: { name: 'claims', points: 600, seconds: hour, isRefunded: true },
  claimReleases: { name: 'claim_releases', points: 600, seconds: hour, isRefunded: true },
  appeals: { name: 'appeals', points: 10, seconds: day, isShared: true, isRefunded: true },
  passkeyChanges: { name: 'passkey_changes', points: 60, seconds: hour, isShared: true },
  // Every visit to a sign-in page that suggests passkeys in its email field requests a challenge.
  passkeyChallenges: { name: 'passkey_challenges', points: 300, seconds: 300, by: 'network' },
  secondFactorEnrolments: { name: 'second_factor_enrolments', points: 10, seconds: hour, isShared: true },
  // By session, so that an intruder's session can't use up the administrator's attempts.
  secondFactor: { name: 'second_factor', points: 5, seconds: 600, by: 'session', isShared: true },
  selfieUploads: { name: 'selfie_uploads', points: 20, seconds: hour, isShared: true, isRefunded: true },
  verificationTakeBacks: { name: 'verification_take_backs', points: 20, seconds: hour, isRefunded: true },
  verificationReviews: { name: 'verification_reviews', points: 300, seconds: hour },
  erasures: { name: 'erasures', points: 10, seconds: day, isShared: true, isRefunded: true },
  consents: { name: 'consents', points: 60, seconds: day, isShared: true, isRefunded: true },
  sharedDates: { name: 'shared_dates', points: 10, seconds: day, isShared: true, isRefunded: true },
  dateChanges: { name: 'date_changes', points: 60, seconds: hour, isShared: true, isRefunded: true },
  openDates: { name: 'open_dates', points: 120, seconds: 600, by: 'network' },
  declinedContacts: { name: 'declined_contacts', points: 20, seconds: hour, by: 'network', isShared: true },
} as const satisfies Record<string, RateLimit>
