import { type Base, type BaseParts, openBase } from './base.ts'
import { mountDemo } from './demo/mount.ts'
import { accessRoutes } from './features/accounts/access.routes.ts'
import { accountRoutes } from './features/accounts/accounts.routes.ts'
import { appealRoutes } from './features/appeals/appeals.routes.ts'
import { auditRoutes } from './features/audit/audit.routes.ts'
import { keepPeopleIndex } from './features/candidates/keep-index.ts'
import { claimRoutes } from './features/claims/claims.routes.ts'
import { attachmentRoutes } from './features/conversations/attachments.routes.ts'
import { conversationRoutes } from './features/conversations/conversations.routes.ts'
import { conversationSockets } from './features/conversations/conversations.sockets.ts'
import { dataRightsRoutes } from './features/data-rights/data-rights.routes.ts'
import { dateRoutes } from './features/dates/dates.routes.ts'
import { discoveryRoutes } from './features/discovery/discovery.routes.ts'
import { identityRoutes } from './features/identities/identities.routes.ts'
import { insightsRoutes } from './features/insights/insights.routes.ts'
import { likeRoutes } from './features/likes/likes.routes.ts'
import { mailRoutes } from './features/mails/mails.routes.ts'
import { matchRoutes } from './features/matches/matches.routes.ts'
import { matchingRoutes } from './features/matching/matching.routes.ts'
import { moderationRoutes } from './features/moderation/moderation.routes.ts'
import { notificationRoutes } from './features/notifications/notifications.routes.ts'
import { passkeyRoutes } from './features/passkeys/passkeys.routes.ts'
import { photoRoutes } from './features/photos/photos.routes.ts'
import { notePhotoReview } from './features/photos/photos.ts'
import { placeRoutes } from './features/places/places.routes.ts'
import { presenceSockets } from './features/presence/presence.sockets.ts'
import { profileRoutes } from './features/profiles/profiles.routes.ts'
import { pushRoutes } from './features/push/push.routes.ts'
import { questionRoutes } from './features/questions/questions.routes.ts'
import { reportRoutes } from './features/reports/reports.routes.ts'
import { privacyRoutes } from './features/safety/privacy.routes.ts'
import { safetyRoutes } from './features/safety/safety.routes.ts'
import { sanctionRoutes } from './features/sanctions/sanctions.routes.ts'
import { adoptKey } from './features/second-factor/sealing-key.ts'
import { secondFactorRoutes } from './features/second-factor/second-factor.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { refuseProbing } from './features/spam/probing.ts'
import { verificationRoutes } from './features/verification/verification.routes.ts'
import { jobsOf } from './jobs.ts'
import { untilAnswers } from './platform/database/until-answers.ts'
import { serveDocs } from './platform/http/api-docs.ts'
import { serveHealth } from './platform/http/health.ts'
import { createServe } from './platform/http/serve.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import { watchSessions } from './platform/realtime/session-watch.ts'
import { startTracing } from './platform/tracing.ts'
import { stopApp } from './stop.ts'
import { type Wires, wire } from './wires.ts'

interface Parts extends BaseParts {
  webFolder: string
  /** Whether jobs and the people index run on their schedule. Off in tests, which run them directly. */
  byTheClock?: boolean
  noticeMs?: number
}

export interface App extends Pick<Base, 'http' | 'platform' | 'measured'> {
  indexed: Promise<void>
  greeting(): Promise<string[]>
  close(): Promise<void>
}

function mountFeatures({ http, platform }: Base, wires: Wires): void {
  const { presence, forgetLearned } = wires
  const serve = createServe(http, platform)
  const probing = refuseProbing(http, platform)

  accountRoutes(serve, platform, wires.arrivals)
  accessRoutes(serve, platform, wires.addresses)
  passkeyRoutes(serve, platform)
  profileRoutes(serve, platform, forgetLearned, wires.onPhotosChanged)
  photoRoutes(serve, http, platform, wires.onPhotosChanged)
  placeRoutes(serve, platform, wires.onPlaced)
  discoveryRoutes(serve, platform)
  questionRoutes(serve, platform)
  likeRoutes(serve, platform, wires.decisions)
  matchRoutes(serve, platform, presence.part)
  matchingRoutes(serve, platform, forgetLearned)
  conversationRoutes(serve, platform, wires.gate)
  attachmentRoutes(serve, http, platform)
  notificationRoutes(serve, platform)
  pushRoutes(serve, platform)
  mailRoutes(serve, http, platform)
  safetyRoutes(serve, platform, wires.blocks)
  dateRoutes(serve, platform)
  privacyRoutes(serve, platform, presence.changed)
  reportRoutes(serve, http, platform, presence.part)
  auditRoutes(serve, platform)
  claimRoutes(serve, platform)
  sanctionRoutes(serve, platform)
  moderationRoutes(serve, platform, wires.reviews)
  appealRoutes(serve, platform)
  secondFactorRoutes(serve, platform)
  verificationRoutes(serve, platform)
  settingsRoutes(serve, platform)
  dataRightsRoutes(serve, http, platform, { onShown: presence.changed, forgetLearned })
  insightsRoutes(serve, platform)
  identityRoutes(serve, http, platform, wires.arrivals)
  const talk = probing.guard(conversationSockets(platform, wires.sending, wires.messages))
  platform.realtime.serve({ ...talk, ...presenceSockets(platform, presence) }, presence)
}

export async function createApp(parts: Parts): Promise<App> {
  const { config, owner, webFolder, noticeMs = 2_500 } = parts
  const base = await openBase(parts)
  const { http, platform, jobs, pools } = base
  const { log } = platform
  const endTracing = config.tracesTo ? await startTracing(config.tracesTo, http, log) : undefined
  const wires = wire(platform)
  const serves = config.role !== 'worker'
  const works = config.role !== 'web'
  if (serves) mountFeatures(base, wires)
  // A worker accepts no connections; its jobs send events to people through other nodes.
  else platform.realtime.refuseNew()
  const demo = config.demo ? mountDemo(base, wires) : undefined
  let isStopping = false
  serveHealth(http, {
    log,
    pool: pools.probe.pool,
    isStopping: () => isStopping,
    space: async () => (config.databaseUrl ? undefined : base.measured.space()),
  })
  if (serves) {
    serveDocs(http, config.demo)
    await serveWebApp(http, webFolder, config, ['date/', 'unsubscribe'])
  }

  const sessions = await watchSessions(owner, platform)
  await untilAnswers(log, () => notePhotoReview(platform))
  if (works) await jobs.start([...jobsOf(base, owner), ...(demo?.jobs ?? [])], parts.byTheClock)
  const keyLine = await untilAnswers(log, () => adoptKey(platform))
  if (keyLine) log.error(keyLine)
  // Only the process that makes backups checks their place, in the background because a store may hang.
  // biome-ignore lint/plugin/void: a try catches its own failures.
  if (works) void base.measured.isBackupPlaceWritable?.()
  const { superAdminEmail } = config
  if (superAdminEmail) await untilAnswers(log, () => platform.grantSuperAdmin(superAdminEmail))
  const indexing = serves ? keepPeopleIndex(platform, { byTheClock: parts.byTheClock }) : undefined
  const world = await demo?.open()

  return {
    http,
    platform,
    indexed: indexing?.loaded ?? Promise.resolve(),
    greeting: async () => (await world?.greeting()) ?? [],
    measured: base.measured,
    close: () => {
      isStopping = true
      return stopApp({ base, wires, sessions, indexing, world, endTracing, noticeMs })
    },
  }
}
