import type { Cases } from './cases.ts'

/** Who calls. `other` is a stranger to all, `blocked` was blocked by the target `other`, `suspended` by moderators. */
export const roles = [
  'anonymous',
  'broken',
  'signedOut',
  'member',
  'stranger',
  'blocked',
  'suspended',
  'admin',
] as const
export type Role = (typeof roles)[number]

/**
 * Whose thing it is about: the caller's own; another person's; of one who blocks the caller; of one who is hidden; of one
 * whose account is gone; of no one; and something that is no id at all.
 */
export const targets = ['own', 'other', 'blocking', 'hidden', 'deleted', 'unknown', 'malformed'] as const
export type Target = (typeof targets)[number]
/** Things without an owner are there or not. */
export const common = ['known', 'unknown', 'malformed'] as const
export type Column = Target | (typeof common)[number] | 'it'

/** What a call is about: something of the caller, of another person, or without an owner. */
export type About =
  | 'no one'
  | 'person'
  | 'session'
  | 'photo'
  | 'notification'
  | 'device'
  | 'verification'
  | keyof Cases
  | 'question'
  | 'model'
