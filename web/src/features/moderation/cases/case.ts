import type { Claim } from '@duet/contract/claims.ts'
import type { CaseKind } from './cases.api.ts'

/** What every case of a queue has, whatever it is about. */
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

/** Since when a claim is held, at least: renewing it makes it younger. */
export const claimedAt = ({ until }: Claim): string => new Date(Date.parse(until) - claimLifeMs).toISOString()
