import { api } from '@duet/contract/api.ts'
import type { EndpointSpec } from '@duet/contract/endpoint.ts'
import type { RequestSpec } from '@duet/contract/event.ts'
import type { RateLimit } from '@duet/contract/rate-limits.ts'
import { requests } from '@duet/contract/realtime.ts'

/** What is limited by more than the contract says: limits that depend on what is found, as `name points/seconds`. */
const besides: Record<string, string> = {
  'POST /api/user/requestOtp':
    'code_address_hour 5/3600, code_address_day 10/86400, code_mailbox 10/600, code_mailbox_day 200/86400',
  'POST /api/user/verifyOtp': 'sign_in_address 10/3600, sign_in_network 100/300',
  'POST /api/user/register': 'sign_in_address 10/3600, sign_in_network 100/300',
  'POST /api/user/authenticate': 'sign_in_address 10/3600, sign_in_network 100/300',
  'POST /api/user/reauthenticate': 'sign_in_address 10/3600, sign_in_network 100/300',
  'POST /api/user/addressChange': 'address_change_mailbox 100/86400',
  'POST /api/user/addressChange/confirm': 'sign_in_session 10/3600, sign_in_network 100/300',
  'POST /api/user/oidc/finish': 'sign_in_network 100/300',
  'POST /api/user/oidc/register': 'sign_in_network 100/300',
  'PATCH /api/user/:userId/image': 'photo_uploads 30/3600',
  'PATCH /api/user/updateLocation': 'location_moves 6/3600',
  'POST /api/reports': 'reports 20/86400',
  'POST /api/verification': 'verification_tries 5/604800',
  'POST /api/export': 'exports 1/86400',
}

export const told = ({ name, points, seconds }: Omit<RateLimit, 'by' | 'isShared'>) => `${name} ${points}/${seconds}`

const specs: [string, Pick<EndpointSpec, 'limit'>][] = [
  ...api.map((spec: EndpointSpec): [string, EndpointSpec] => [`${spec.method} ${spec.path}`, spec]),
  ...Object.entries<RequestSpec>(requests),
]

/** Whatever has a limit in the contract. */
export const limited = specs.flatMap(([name, { limit }]) => (limit ? [name] : []))

/**
 * What limits each endpoint and each request of a live connection: what the code asks for when it is called. Where there is
 * nothing, the budget of all requests, or of all events, is all there is.
 */
export const limitsOf: Record<string, string> = Object.fromEntries(
  specs.map(([name, { limit }]) => [
    name,
    [limit && told(limit), besides[name]].filter((text) => text !== undefined).join(', '),
  ]),
)
