import * as contract from '@duet/contract/moderation.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { verifyChain } from './audit.ts'
import { listAuditEntries } from './audit-list.ts'

export function auditRoutes(serve: Serve, platform: Platform): void {
  serve(contract.listAuditEntries, ({ query }, { viewer }) => listAuditEntries(platform, viewer.id, query))
  serve(contract.verifyAuditLog, () => verifyChain(platform))
}
