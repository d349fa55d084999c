import * as contract from '@duet/contract/sanctions.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { getStanding } from './standing.ts'

export function sanctionRoutes(serve: Serve, platform: Platform): void {
  serve(contract.getStanding, (_input, { viewer }) => getStanding(platform, viewer.id))
}
