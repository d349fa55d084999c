import type { ClaimKind } from '@duet/contract/claims.ts'
import { type RawBuilder, sql } from 'kysely'

/** Whether the viewer may decide a case, which they may not if they are involved in it. `target` may be a column. */
export const mayDecide = (kind: ClaimKind, target: RawBuilder<unknown>, viewerId: string) =>
  sql<boolean>`coalesce(${viewerId}::uuid <> all(case_parties(${kind}::text, ${target})), false)`
