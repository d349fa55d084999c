import type { Claim } from '@duet/contract/claims.ts'
import type { CaseKind } from './cases.api.ts'

export interface Case {
  kind: CaseKind
  id: string
  title: string
  person: { id: string; name: string }
  createdAt: string
  claim: Claim | null
  severity?: 'urgent' | 'high' | 'normal' | undefined
}

const claimLifeMs = 10 * 60_000

/** When a claim started. Renewing it restarts its ten minutes, so the actual start may be earlier. */
export const claimedAt = ({ until }: Claim): string => new Date(Date.parse(until) - claimLifeMs).toISOString()
