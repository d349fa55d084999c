import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Config } from './config.ts'
import { accountRoutes } from './features/accounts/accounts.routes.ts'
import { forgetExpired, grantSuperAdmin } from './features/accounts/accounts.ts'
import { appealRoutes } from './features/appeals/appeals.routes.ts'
import { mailAnswer } from './features/appeals/appeals.ts'
import { forgetChanges, keepPeopleIndex } from './features/candidates/candidates.ts'
import { attachmentRoutes } from './features/conversations/attachments.routes.ts'
import { sweepAttachments } from './features/conversations/attachments.ts'
import { conversationRoutes } from './features/conversations/conversations.routes.ts'
import { conversationSockets } from './features/conversations/conversations.sockets.ts'
import { createHolding, type HoldingHooks } from './features/conversations/holding.ts'
import { publishConversation } from './features/conversations/listing.ts'
import { createSending } from './features/conversations/sending.ts'
import { dataRightsRoutes } from './features/data-rights/data-rights.routes.ts'
import { endRetention, eraseDue, makeExport, sweepExports } from './features/data-rights/data-rights.ts'
import { dateRoutes } from './features/dates/dates.routes.ts'
import { watchDates } from './features/dates/dates.ts'
import { demoRoutes } from './features/demo/demo.routes.ts'
import { demoLikes, demoOnline, demoReplies, seedDemoWorld, welcome } from './features/demo/demo.ts'
import { discoveryRoutes } from './features/discovery/discovery.routes.ts'
import { announceNewcomer } from './features/discovery/discovery.ts'
import { insightsRoutes } from './features/insights/insights.routes.ts'
import { likeRoutes } from './features/likes/likes.routes.ts'
import type { DecisionHooks } from './features/likes/likes.ts'
import { matchRoutes } from './features/matches/matches.routes.ts'
import { matchingRoutes } from './features/matching/matching.routes.ts'
import { createLearning, trainModel } from './features/matching/matching.ts'
import { moderationRoutes } from './features/moderation/moderation.routes.ts'
import {
  endOverdueSanctions,
  forgetClaims,
  mailStatement,
  queueAges,
  watchChain,
} from './features/moderation/moderation.ts'
import { notificationRoutes } from './features/notifications/notifications.routes.ts'
import { photoRoutes } from './features/photos/photos.routes.ts'
import { placeRoutes } from './features/places/places.routes.ts'
import { publishMoves } from './features/places/places.ts'
import { presenceSockets } from './features/presence/presence.sockets.ts'
import { createPresence } from './features/presence/presence.ts'
import { profileRoutes } from './features/profiles/profiles.routes.ts'
import { questionRoutes } from './features/questions/questions.routes.ts'
import { reportRoutes } from './features/reports/reports.routes.ts'
import { privacyRoutes } from './features/safety/privacy.routes.ts'
import { safetyRoutes } from './features/safety/safety.routes.ts'
import { secondFactorRoutes } from './features/second-factor/second-factor.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import {
  continueBan,
  createGate,
  createShadow,
  forgetAlike,
  forgetLinks,
  linkedWith,
  noteNewcomer,
  noteNewPhotos,
  refuseProbing,
} from './features/spam/spam.ts'
import { verificationRoutes } from './features/verification/verification.routes.ts'
import { sweepVerifications, tellLostBadge } from './features/verification/verification.ts'
import { withLock } from './platform/advisory-lock.ts'
import type { Clock } from './platform/clock.ts'
import { connect, connectOwner } from './platform/database.ts'
import { type FollowingClock, followDatabase } from './platform/database-clock.ts'
import { serveHealth } from './platform/health.ts'
import { createHttp } from './platform/http.ts'
import { countRequests } from './platform/in-flight.ts'
import { createInOrder } from './platform/in-order.ts'
import { createJobs } from './platform/jobs.ts'
import { createLogger } from './platform/logger.ts'
import { openMailer } from './platform/mailer.ts'
import type { Measured } from './platform/metrics.ts'
import { openNodes } from './platform/open-nodes.ts'
import { openStorage } from './platform/open-storage.ts'
import type { Platform } from './platform/platform.ts'
import { createRateLimits } from './platform/rate-limit.ts'
import { createRealtime, type Realtime } from './platform/realtime.ts'
import type { NodeTimes } from './platform/redis-nodes.ts'
import { createSecrets, keptSecretKey } from './platform/secrets.ts'
import { createSecurityEvents } from './platform/security-events.ts'
import { createServe } from './platform/serve.ts'
import { createSessions, endStaleConnections, listenForEnds } from './platform/session.ts'
import { untilAnswers } from './platform/until-answers.ts'
import { serveDocs, serveWebApp } from './platform/web-app.ts'
import { watchAnswers } from './security-events.ts'

interface Parts {
  config: Config
  /** The migrated database, as its owner. */
  owner: pg.ClientConfig
  /** The built web app. */
  webFolder: string
  /** Without it, that of the database. */
  clock?: Clock
  /** How often a node says that it lives, and after how long without it its people count as offline. */
  nodeTimes?: NodeTimes
  /** How long a load balancer may take to notice that this node is about to stop, where there may be one. */
  noticeMs?: number
}

export interface App {
  http: FastifyInstance
  platform: Platform
  /** When people have been read into memory; searches are answered before, too. */
  indexed: Promise<void>
  /** What a person who has just started Duet should know. */
  greeting(): Promise<string[]>
  /** What is measured of this process, for /metrics. */
  measured: Measured
  /** Takes no more requests, finishes those under way, lets go of everything. */
  close(): Promise<void>
}

/** Puts Duet together. The lines below are its table of contents. */
export async function createApp(parts: Parts): Promise<App> {
  const { config, owner, webFolder, nodeTimes, noticeMs = 2_500 } = parts
  const log = createLogger(config.logLevel)
  const onLost = (err: Error) => log.warn({ err }, 'a database connection was lost')
  const { db, pool } = connect(owner, onLost)
  const ownerPool = connectOwner(owner, onLost)
  const clock: Clock & Partial<FollowingClock> = parts.clock ?? (await followDatabase(ownerPool.pool, log))
  const http = await createHttp(config, log)
  const requestsAnswered = countRequests(http)
  const secrets = createSecrets(config.secretKey ?? (await keptSecretKey(config.dataDir)), config.previousSecretKey)
  const security = createSecurityEvents(log, secrets)
  watchAnswers(http, security)
  const sessions = createSessions(pool, clock, config.adminSecondFactor === 'required')
  const { nodes, counters } = await openNodes(config.redisUrl, log, nodeTimes)
  const connections = createRealtime(http.server, {
    sessions,
    clock,
    log,
    nodes,
    allowsOrigin: originRule(config),
    onProblem: (code, userId, route) => security.noteProblem(code, { userId, route }),
    scale: config.rateLimitScale,
  })
  const realtime = config.demo ? withDemoPeople(connections, clock) : connections
  const jobs = await createJobs(ownerPool.pool, log)
  const platform: Platform = {
    config,
    log,
    clock,
    db,
    pool,
    secrets,
    mailer: openMailer(config),
    storage: openStorage(config),
    limits: createRateLimits(ownerPool.pool, config.rateLimitScale, counters),
    sessions,
    jobs,
    realtime,
    inOrder: createInOrder(),
    grantSuperAdmin: (email) => grantSuperAdmin(ownerPool.db, email),
  }
  // For what takes longer than a request may, and for rows that the application's role may not remove.
  const asOwner = { ...platform, db: ownerPool.db }
  const presence = createPresence(platform)
  const serve = createServe(http, sessions, clock)
  const onHolding: HoldingHooks = {
    onHeld(senderId, receiverId, known) {
      if (known) presence.part(senderId, receiverId)
      presence.hold(senderId, receiverId)
    },
    onReleased(senderId, receiverId) {
      presence.part(senderId, receiverId)
      presence.watch(senderId, receiverId)
      presence.watch(receiverId, senderId)
    },
  }
  const holding = createHolding(platform, onHolding)
  const shadow = createShadow(platform, holding)
  const gate = createGate(platform, shadow.restrict)
  const sending = createSending(platform, presence.watch, { ...onHolding, gate })
  const demo = config.demo ? demoReplies(platform, sending) : undefined
  const learning = createLearning(platform)
  const decisionHooks: DecisionHooks = {
    onOpened: presence.watch,
    onDecided: (actorId, targetId, yes) => {
      learning.onDecided(actorId, targetId, yes)
      if (yes) admirers?.onLiked(actorId, targetId)
    },
  }
  const admirers = config.demo ? demoLikes(platform, decisionHooks) : undefined

  refuseProbing(http, platform)
  const inBackground = (work: Promise<void>) =>
    void work.catch((err) => log.warn({ err }, 'nobody looked yet whether somebody was here before'))
  accountRoutes(serve, platform, {
    onArriving: continueBan,
    onRegistered: (userId, origin) => inBackground(noteNewcomer(platform, userId, origin)),
  })
  const onPhotosChanged = (userId: string) => {
    inBackground(noteNewPhotos(platform, userId))
    return tellLostBadge(platform, userId).catch((err) => log.warn({ err }, 'nobody was told of a lost badge yet'))
  }
  profileRoutes(serve, platform, learning.forget, onPhotosChanged)
  photoRoutes(serve, http, platform, onPhotosChanged)
  placeRoutes(serve, platform, async (userId) => {
    await jobs.add('announce-newcomer', { userId })
    if (demo) await jobs.add('welcome-to-demo', { userId })
  })
  discoveryRoutes(serve, platform)
  questionRoutes(serve, platform)
  likeRoutes(serve, platform, decisionHooks)
  matchRoutes(serve, platform, presence.part)
  matchingRoutes(serve, platform, learning.forget)
  conversationRoutes(serve, platform, gate)
  attachmentRoutes(serve, http, platform)
  notificationRoutes(serve, platform)
  safetyRoutes(serve, platform, presence.part)
  dateRoutes(serve, platform)
  privacyRoutes(serve, platform, presence.changed)
  reportRoutes(serve, http, platform, presence.part)
  moderationRoutes(serve, platform, { onDecided: shadow.onReviewDecided, linkedWith })
  appealRoutes(serve, platform)
  secondFactorRoutes(serve, platform)
  verificationRoutes(serve, platform)
  settingsRoutes(serve, platform)
  dataRightsRoutes(serve, http, platform, { onHidden: presence.part, forgetLearned: learning.forget })
  insightsRoutes(serve, platform)
  realtime.serve(
    {
      ...conversationSockets(platform, sending, {
        onOpened: presence.watch,
        onSent: (senderId, receiverId, text) => {
          if (presence.appears(senderId, receiverId)) void publishConversation(platform, receiverId, senderId)
          demo?.onSent(senderId, receiverId, text)
        },
      }),
      ...presenceSockets(platform, presence),
    },
    presence,
  )
  demoRoutes(http, platform)
  let isStopping = false
  serveHealth(http, { ...platform, isStopping: () => isStopping })
  await serveDocs(http, config.demo)
  await serveWebApp(http, webFolder, config.demo, ['/date/'])

  const sweep = () => endStaleConnections(platform).catch((err) => log.warn({ err }, 'sessions could not be checked'))
  const sweeping = setInterval(() => void sweep(), 30_000)
  const stopListening = await listenForEnds(owner, { ...platform, sweep })
  await jobs.start([
    { name: 'publish-moves', cron: '0,30 * * * *', run: () => publishMoves(platform) },
    { name: 'erase-due', cron: '*/10 * * * *', run: () => eraseDue(asOwner) },
    { name: 'make-export', run: (payload) => makeExport(asOwner, (payload as { userId: string }).userId) },
    { name: 'end-retention', cron: '13 4 * * *', run: () => endRetention(asOwner) },
    { name: 'sweep-exports', cron: '27 * * * *', run: () => sweepExports(asOwner) },
    { name: 'watch-dates', cron: '* * * * *', run: () => watchDates(platform) },
    { name: 'end-sanctions', cron: '* * * * *', run: () => endOverdueSanctions(platform) },
    {
      name: 'mail-statement',
      run: (payload) => mailStatement(platform, (payload as { sanctionId: string }).sanctionId),
    },
    { name: 'mail-answer', run: (payload) => mailAnswer(platform, (payload as { sanctionId: string }).sanctionId) },
    { name: 'forget-claims', cron: '57 * * * *', run: () => forgetClaims(platform) },
    { name: 'watch-audit-log', cron: '53 3 * * *', run: () => watchChain(platform) },
    { name: 'forget-expired', cron: '17 * * * *', run: () => forgetExpired(platform) },
    { name: 'sweep-attachments', cron: '47 * * * *', run: () => sweepAttachments(platform) },
    { name: 'sweep-verifications', cron: '7 * * * *', run: () => sweepVerifications(platform) },
    { name: 'forget-links', cron: '33 4 * * *', run: () => forgetLinks(platform) },
    { name: 'forget-alike', cron: '*/20 * * * *', run: () => forgetAlike(platform) },
    { name: 'forget-changes', cron: '37 * * * *', run: () => forgetChanges(platform) },
    { name: 'train-model', cron: '23 3 * * *', run: () => trainModel(platform).then(() => undefined) },
    { name: 'announce-newcomer', run: (payload) => announceNewcomer(platform, (payload as { userId: string }).userId) },
    ...(demo
      ? [
          {
            name: 'welcome-to-demo',
            run: async (payload: unknown) => {
              const { userId } = payload as { userId: string }
              await welcome(platform, userId)
              await admirers?.onArrived(userId)
            },
          },
        ]
      : []),
    ...(demo?.jobs ?? []),
    ...(admirers?.jobs ?? []),
  ])
  const { superAdminEmail } = config
  if (superAdminEmail) await untilAnswers(log, () => platform.grantSuperAdmin(superAdminEmail))

  const indexing = keepPeopleIndex(platform)
  const seed = () => withLock(ownerPool.pool, 'demo-world', () => seedDemoWorld(platform))
  const world = demo && (await untilAnswers(log, seed))

  return {
    http,
    platform,
    indexed: indexing.loaded,
    greeting: async () => (await world?.greeting()) ?? [],
    measured: {
      realtime,
      security,
      pools: { app: pool, owner: ownerPool.pool },
      jobs,
      queues: () => queueAges(platform),
    },
    close: async () => {
      isStopping = true
      realtime.refuseNew()
      if (config.redisUrl) await sleep(noticeMs)
      await realtime.drain()
      await requestsAnswered(3_000)
      await world?.stop()
      clearInterval(sweeping)
      clock.stop?.()
      await realtime.close()
      await http.close()
      await jobs.stop()
      await sending.drain()
      await holding.drain()
      await learning.close()
      await indexing.close()
      await stopListening()
      await nodes.leave()
      platform.mailer.close()
      await pool.end()
      await ownerPool.pool.end()
    },
  }
}

/** Pages of our own address may connect; on this machine, by any of its names. */
function originRule({ publicUrl, port }: Config): (origin: string) => boolean {
  const allowed = publicUrl
    ? [new URL(publicUrl).origin]
    : ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`)
  return (origin) => allowed.includes(origin)
}

/** Demo people have no connection, and some of them look as if they had. */
function withDemoPeople(realtime: Realtime, clock: Clock): Realtime {
  const isOnline = demoOnline(clock)
  return { ...realtime, isConnected: (userId) => realtime.isConnected(userId) || isOnline(userId) }
}
