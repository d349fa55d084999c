import type { ClaimKind } from '@duet/contract/claims.ts'

export const groups = {
  moderation: ['overview', 'photos', 'reports', 'verification', 'appeals', 'review', 'figures', 'record'],
  operation: ['insights', 'people', 'models', 'settings'],
} as const
export type AdminPart = (typeof groups)[keyof typeof groups][number]

const adminParts: readonly AdminPart[] = [...groups.moderation, ...groups.operation]
export const adminPartOf = (view: string | null): AdminPart => adminParts.find((part) => part === view) ?? 'overview'

export const queueOf: Partial<Record<AdminPart, ClaimKind>> = {
  photos: 'photo',
  reports: 'report',
  verification: 'verification',
  appeals: 'appeal',
  review: 'review',
}
