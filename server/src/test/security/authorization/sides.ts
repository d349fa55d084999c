import type { Cases } from './cases.ts'

/**
 * The callers. `other` is a stranger to all, `blocked` was blocked by the target `other`, `suspended` by moderators.
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
 * The owner of the target: the caller; another person; one who blocks the caller; a hidden one; one whose account is
 * gone; nobody; or something that is no id at all.
 */
export const targets = ['own', 'other', 'blocking', 'hidden', 'deleted', 'unknown', 'malformed'] as const
export type Target = (typeof targets)[number]
/** Things without an owner exist or don't. */
export const common = ['known', 'unknown', 'malformed'] as const
export type Column = Target | (typeof common)[number] | 'it'

/** The kind of a call's target: owned by the caller or another person, or without an owner. */
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
