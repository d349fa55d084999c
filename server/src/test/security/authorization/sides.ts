import type { Cases } from './cases.ts'

/**
 * The callers. `other` is a stranger to the rest. `blocked` was blocked by the person `other`, `suspended` was
 * suspended by moderators.
 */
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
 * Who owns the target: the caller; another person; a person who blocks the caller; a hidden person; a deleted account;
 * nobody, because the id is unknown; or nobody, because the id is malformed.
 */
export const targets = ['own', 'other', 'blocking', 'hidden', 'deleted', 'unknown', 'malformed'] as const
export type Target = (typeof targets)[number]
/** Targets without an owner either exist or don't. */
export const common = ['known', 'unknown', 'malformed'] as const
export type Column = Target | (typeof common)[number] | 'it'

/** What kind of target a call has: one owned by the caller or another person, or one without an owner. */
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
