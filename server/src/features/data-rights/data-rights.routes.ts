import * as contract from '@duet/contract/data-rights.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { getErasure, type OnHidden, requestErasure, undoErasure } from './erasure.ts'

export function dataRightsRoutes(serve: Serve, platform: Platform, onHidden: OnHidden): void {
  serve(contract.getErasure, (_input, { viewer }) => getErasure(platform, viewer.id))
  serve(contract.requestErasure, (_input, { viewer }) => requestErasure(platform, viewer, onHidden))
  serve(contract.undoErasure, (_input, { viewer }) => undoErasure(platform, viewer.id))
}
