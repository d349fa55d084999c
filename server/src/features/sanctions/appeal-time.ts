import { limits } from '@duet/contract/limits.ts'

export function appealUntil(createdAt: Date): Date {
  const until = new Date(createdAt)
  until.setUTCMonth(until.getUTCMonth() + limits.appealMonths)
  return until
}
