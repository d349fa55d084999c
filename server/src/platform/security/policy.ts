import { type EndpointSpec, standings } from '@duet/contract/endpoint.ts'
import type { Standing } from '@duet/contract/sanctions.ts'
import { after, minutes } from '../clock.ts'
import { AppError, notFound, restricted, suspended, unauthenticated } from '../errors.ts'
import type { Viewer } from './session.ts'

/*
 * Checks every HTTP request and connection before its body is read. Whether someone may see another person is decided
 * by `may_see` in the database. The tests in server/src/test/security/authorization cover every combination.
 */

export type Rule = Pick<EndpointSpec, 'access' | 'standing' | 'fresh' | 'beforeSecondFactor'>

/** All socket events require this. */
export const connectionRule: Rule = { access: 'member' }

const freshMs = minutes(10)

export function freshUntil(authenticatedAt: Date): Date {
  return after(authenticatedAt, freshMs)
}

const isWorse = (standing: Standing, than: Standing) => standings.indexOf(standing) > standings.indexOf(than)
const unproven = () => new AppError('second_factor_required', 'Enter your second factor first.')
const stale = () => new AppError('reauthentication_required', "Confirm it's you first.")

/**
 * Throws `unauthenticated`, `suspended`, `restricted`, `second_factor_required` or `reauthentication_required` if
 * `viewer` may not pass, and not found for endpoints whose existence is only for administrators to know.
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

/** Whether `viewer` only lacks a second factor or a fresh sign-in. */
export function lacksProof(rule: Rule, viewer: Viewer, now: Date): boolean {
  const proven = { ...viewer, secondFactor: true, authenticatedAt: now }
  return !mayPass(rule, viewer, now) && mayPass(rule, proven, now)
}

export function mayPass(rule: Rule, viewer: Viewer | undefined, now: Date): viewer is Viewer {
  try {
    requirePassage(rule, viewer, now)
    return viewer !== undefined
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
