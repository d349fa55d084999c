import { accountEndpoints } from './accounts.ts'
import { appealEndpoints } from './appeals.ts'
import { claimEndpoints } from './claims.ts'
import { conversationEndpoints } from './conversations.ts'
import { dataRightsEndpoints } from './data-rights.ts'
import { dateEndpoints } from './dates.ts'
import { discoveryEndpoints } from './discovery.ts'
import { identityEndpoints } from './identities.ts'
import { insightsEndpoints } from './insights.ts'
import { likeEndpoints } from './likes.ts'
import { mailEndpoints } from './mails.ts'
import { matchEndpoints } from './matches.ts'
import { matchingEndpoints } from './matching.ts'
import { moderationEndpoints } from './moderation.ts'
import { notificationEndpoints } from './notifications.ts'
import { passkeyEndpoints } from './passkeys.ts'
import { photoEndpoints } from './photos.ts'
import { placeEndpoints } from './places.ts'
import { privacyEndpoints } from './privacy.ts'
import { profileEndpoints } from './profiles.ts'
import { pushEndpoints } from './push.ts'
import { questionEndpoints } from './questions.ts'
import { reportEndpoints } from './reports.ts'
import { safetyEndpoints } from './safety.ts'
import { sanctionEndpoints } from './sanctions.ts'
import { secondFactorEndpoints } from './second-factor.ts'
import { settingsEndpoints } from './settings.ts'
import { verificationEndpoints } from './verification.ts'

/** Every HTTP endpoint. A test fails if the server doesn't mount one of them. */
export const api = [
  ...accountEndpoints,
  ...passkeyEndpoints,
  ...profileEndpoints,
  ...photoEndpoints,
  ...placeEndpoints,
  ...discoveryEndpoints,
  ...likeEndpoints,
  ...matchEndpoints,
  ...matchingEndpoints,
  ...questionEndpoints,
  ...conversationEndpoints,
  ...notificationEndpoints,
  ...pushEndpoints,
  ...mailEndpoints,
  ...safetyEndpoints,
  ...privacyEndpoints,
  ...reportEndpoints,
  ...moderationEndpoints,
  ...claimEndpoints,
  ...sanctionEndpoints,
  ...appealEndpoints,
  ...secondFactorEndpoints,
  ...verificationEndpoints,
  ...settingsEndpoints,
  ...dataRightsEndpoints,
  ...dateEndpoints,
  ...insightsEndpoints,
  ...identityEndpoints,
] as const

/** The endpoints by `METHOD /path`. The web app imports only this type, so its bundle contains no schemas. */
export type Api = { [E in (typeof api)[number] as `${E['method']} ${E['path']}`]: E }
