import * as contract from '@duet/contract/settings.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorOf } from '../audit/actor.ts'
import { changeSettings, operatorSettings } from './settings.ts'

export function settingsRoutes(serve: Serve, platform: Platform): void {
  serve(contract.getSettings, () => operatorSettings(platform))
  serve(contract.changeSettings, ({ body }, call) => changeSettings(platform, actorOf(call), body))
}
