import * as contract from '@duet/contract/privacy.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { changePrivacy, getPrivacy } from './privacy.ts'

/** `onShown` runs after a person's visibility has changed, to update live connections immediately. */
export function privacyRoutes(serve: Serve, platform: Platform, onShown: (userId: string) => Promise<void>): void {
  serve(contract.getPrivacy, (_input, { viewer }) => getPrivacy(platform, viewer.id))
  serve(contract.changePrivacy, ({ body }, { viewer }) => changePrivacy(platform, viewer.id, body, onShown))
}
