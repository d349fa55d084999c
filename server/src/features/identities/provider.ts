import { Email } from '@duet/contract/accounts.ts'
import type { oidcFailures } from '@duet/contract/identities.ts'
import * as client from 'openid-client'
import type { Oidc } from '../../config.ts'
import { minutes } from '../../platform/clock.ts'

export interface Flow {
  state: string
  nonce: string
  verifier: string
}

/** A provider's claims about a person, with a verified signature. */
export interface Claims {
  issuer: string
  subject: string
  /** Set only if the provider has verified the address. */
  email: string | undefined
}

export type OidcFailure = (typeof oidcFailures)[number]

export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly failure: OidcFailure
  constructor(failure: OidcFailure, cause: unknown) {
    // Causes may contain tokens, so only their messages are kept for the log.
    super(cause instanceof Error ? [cause.message, (cause as { code?: string }).code].join(' ').trim() : 'unknown')
    this.failure = failure
  }
}

export interface Provider {
  name: string
  issuer: string
  /** Returns the URL to send a browser to, and the values that its callback must match. Throws `ProviderError`. */
  begin(): Promise<{ url: string; flow: Flow }>
  /** Verifies the query of a callback and returns the claims. Throws `ProviderError`. */
  complete(search: string, flow: Flow): Promise<Claims>
}

export const callbackPath = '/api/user/oidc/callback'
const timeoutSeconds = 5
/**
 * The provider's configuration is cached this long, because its keys and URLs change from time to time. An unknown key
 * makes the client fetch new keys earlier.
 */
const knownForMs = minutes(60)

const isDown = (response: unknown) => response instanceof Response && response.status >= 500

function failureOf(error: unknown): OidcFailure {
  if (error instanceof client.AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'denied'
    return ['temporarily_unavailable', 'server_error'].includes(error.error) ? 'unavailable' : 'failed'
  }
  if (error instanceof client.ResponseBodyError) return error.status >= 500 ? 'unavailable' : 'failed'
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || isDown(cause)) return 'unavailable'
  // This is what fetch throws if there is no response.
  return error instanceof TypeError && code === undefined ? 'unavailable' : 'failed'
}

const secretOf =
  (secret: string): client.ClientAuth =>
  (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const way = ways.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost
    return way(secret)(server, ...rest)
  }

function discover({ issuer, clientId, clientSecret }: Oidc): Promise<client.Configuration> {
  const address = new URL(issuer)
  return client.discovery(address, clientId, undefined, secretOf(clientSecret), {
    timeout: timeoutSeconds,
    execute: [
      // Requires tokens to be signed with one of the provider's keys, in addition to TLS.
      client.enableNonRepudiationChecks,
      // The configuration accepts plain HTTP only for a provider on the same machine.
      ...(address.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  })
}

const isTrue = (value: unknown) => value === true || value === 'true'

function verifiedEmail({ email, email_verified: verified }: Record<string, unknown>) {
  return isTrue(verified) ? Email.safeParse(email).data : undefined
}

async function claimsOf(configuration: client.Configuration, callback: URL, flow: Flow): Promise<Claims> {
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('no ID token')
  const { iss: issuer, sub: subject } = claims
  const asks = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
  const said = asks ? await client.fetchUserInfo(configuration, tokens.access_token, subject) : claims
  return { issuer, subject, email: verifiedEmail({ ...said }) }
}

/** The operator's provider. It isn't contacted before someone uses it, so the server can start while it is down. */
export function openProvider(oidc: Oidc, publicUrl: string): Provider {
  const callback = `${publicUrl}${callbackPath}`
  let known: { configuration: client.Configuration; at: number } | undefined
  const configuration = async () => {
    if (!known || performance.now() - known.at > knownForMs)
      known = { configuration: await discover(oidc), at: performance.now() }
    return known.configuration
  }
  return {
    name: oidc.name,
    issuer: oidc.issuer,
    async begin() {
      const flow = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const found = await configuration().catch((error: unknown) => {
        throw new ProviderError('unavailable', error)
      })
      const url = client.buildAuthorizationUrl(found, {
        redirect_uri: callback,
        scope: 'openid email',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, flow }
    },
    async complete(search, flow) {
      try {
        return await claimsOf(await configuration(), new URL(`${callback}${search}`), flow)
      } catch (error) {
        throw new ProviderError(failureOf(error), error)
      }
    },
  }
}
