import * as contract from '@duet/contract/second-factor.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { confirm, enrol, getSecondFactor, verify } from './second-factor.ts'

export function secondFactorRoutes(serve: Serve, platform: Platform): void {
  serve(contract.getSecondFactor, (_input, { viewer }) => getSecondFactor(platform, viewer))
  serve(contract.enrolSecondFactor, (_input, { viewer }) => enrol(platform, viewer))
  serve(contract.confirmSecondFactor, ({ body }, { viewer }) => confirm(platform, viewer, body.code))
  serve(contract.verifySecondFactor, ({ body }, { viewer }) => verify(platform, viewer, body))
}
