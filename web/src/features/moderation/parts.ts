import type { ClaimKind } from '@duet/contract/claims.ts'

/** The parts of /admin: what moderators work through, and what operators look at. */
export const groups = {
  moderation: ['photos', 'reports', 'verification', 'appeals', 'review', 'figures', 'record'],
  operation: ['insights', 'people', 'models', 'settings'],
} as const
export type Part = (typeof groups)[keyof typeof groups][number]

const parts: readonly Part[] = [...groups.moderation, ...groups.operation]
/** The part that an address names; the photos without one. */
export const partOf = (view: string | null): Part => parts.find((part) => part === view) ?? 'photos'

/** What waits in each of them. */
export const queueOf: Partial<Record<Part, ClaimKind>> = {
  photos: 'photo',
  reports: 'report',
  verification: 'verification',
  appeals: 'appeal',
  review: 'review',
}
