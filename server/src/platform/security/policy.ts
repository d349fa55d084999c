import { type EndpointSpec, standings } from '@duet/contract/endpoint.ts'
import type { Standing } from '@duet/contract/sanctions.ts'
import { after, minutes } from '../clock.ts'
import { AppError, notFound, restricted, suspended, unauthenticated } from '../errors.ts'
import type { Viewer } from './session.ts'

/*
 * Who may do what, in one place: every HTTP request and every connection passes here before anything of it is read. Who
 * may see another person is decided by `may_see` in the database. The table of every cell: server/src/test/security/authorization.
 */

/** What a caller has to be. */
export type Rule = Pick<EndpointSpec, 'access' | 'standing' | 'fresh' | 'beforeSecondFactor'>

/** Everything that is asked over a live connection needs this. */
export const connectionRule: Rule = { access: 'member' }

const freshMs = minutes(10)

/** Until when a person who proved their identity at `authenticatedAt` may make sensitive requests. */
export function freshUntil(authenticatedAt: Date): Date {
  return after(authenticatedAt, freshMs)
}

const isWorse = (standing: Standing, than: Standing) => standings.indexOf(standing) > standings.indexOf(than)
const unproven = () => new AppError('second_factor_required', 'Enter your second factor first.')
const stale = () => new AppError('reauthentication_required', "Confirm it's you first.")

/**
 * Throws unless `viewer` may pass: `unauthenticated`, not found for what only administrators may know of, `suspended`,
 * `restricted`, `second_factor_required`, `reauthentication_required`.
 */
export function requirePassage(rule: Rule, viewer: Viewer | undefined, now: Date): void {
  if (rule.access === 'public') return
  if (!viewer) throw unauthenticated()
  if (rule.access === 'admin' && !viewer.isSuperAdmin) throw notFound()
  const worst = rule.standing ?? 'restricted'
  if (worst !== 'suspended' && isWorse(viewer.standing, worst)) {
    throw viewer.standing === 'restricted' ? restricted() : suspended()
  }
  if (rule.access === 'admin' && !rule.beforeSecondFactor && !viewer.secondFactor) throw unproven()
  if (rule.fresh && freshUntil(viewer.authenticatedAt) <= now) throw stale()
}

/** Whether nothing but a proof of who `viewer` is keeps them from passing. */
export function lacksProof(rule: Rule, viewer: Viewer, now: Date): boolean {
  const proven = { ...viewer, secondFactor: true, authenticatedAt: now }
  return !mayPass(rule, viewer, now) && mayPass(rule, proven, now)
}

/** The same as an answer. */
export function mayPass(rule: Rule, viewer: Viewer | undefined, now: Date): viewer is Viewer {
  try {
    requirePassage(rule, viewer, now)
    return viewer !== undefined
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
