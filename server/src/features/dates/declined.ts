import type { Platform } from '../../platform/platform.ts'
import { macsOf } from './date-links.ts'
import { findDeclined } from './dates.queries.ts'

export async function findDeclining(
  platform: Pick<Platform, 'db' | 'secrets'>,
  addresses: readonly string[],
): Promise<Set<string>> {
  const macs = addresses.flatMap((address) => macsOf(platform, address).map((mac) => ({ address, mac })))
  if (macs.length === 0) return new Set()
  const declined = await findDeclined(
    platform.db,
    macs.map(({ mac }) => mac),
  )
  return new Set(macs.flatMap(({ address, mac }) => (declined.some((one) => one.equals(mac)) ? [address] : [])))
}
