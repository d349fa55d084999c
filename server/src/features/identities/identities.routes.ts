import * as contract from '@duet/contract/identities.ts'
import { rateLimits } from '@duet/contract/rate-limits.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, notFound } from '../../platform/errors.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { networkOf } from '../../platform/security/rate-limit.ts'
import type { OnArriving } from '../accounts/accounts.ts'
import { originOf, rememberDevice } from '../accounts/origin.ts'
import { begunIn, browserIn, endedCookie, flowCookie, lives, nameBrowser } from './browser.ts'
import {
  allowIdentity,
  finishSignIn,
  keepProof,
  listIdentities,
  type OnLinked,
  removeIdentity,
  signUp,
} from './identities.ts'
import { callbackPath, type OidcFailure, openProvider, type Provider, ProviderError } from './provider.ts'

interface ArrivalHooks {
  onArriving: OnArriving
  onLinked: OnLinked
}

function providerOf({ config: { oidc, publicUrl } }: Platform): Provider | undefined {
  return oidc && publicUrl ? openProvider(oidc, publicUrl) : undefined
}

export function identityRoutes(serve: Serve, app: FastifyInstance, platform: Platform, hooks: ArrivalHooks): void {
  const provider = providerOf(platform)
  serve(contract.startOidc, async ({ body }, { reply }) => {
    if (!provider) throw notFound()
    const { url, flow } = await provider.begin().catch((error: unknown) => {
      throw unavailable(platform, error)
    })
    const until = platform.clock.now().getTime() + lives.flow
    reply.header('set-cookie', flowCookie(platform, { flow, stays: body.staySignedIn, until }))
    return { url }
  })
  if (provider) serveCallback(app, platform, provider)
  const handedBy = (code: string, { headers }: FastifyRequest) => ({
    code,
    browser: browserIn(platform, headers.cookie),
  })
  serve(contract.finishOidc, async ({ body }, { request, reply }) => {
    const origin = originOf(request)
    const answer = await finishSignIn(platform, handedBy(body.code, request), origin, hooks.onLinked)
    if ('token' in answer) rememberDevice(platform, answer.email, origin, reply)
    return answer
  })
  serve(contract.registerByOidc, async ({ body, query }, { request, reply }) => {
    const { code, acceptTerms: _, ...newcomer } = body
    const origin = originOf(request)
    const given = { origin, onArriving: hooks.onArriving }
    const session = await signUp(platform, handedBy(code, request), { ...newcomer, ...query }, given)
    rememberDevice(platform, session.email, origin, reply)
    return session
  })
  serve(contract.listIdentities, async (_, { viewer }) => ({ identities: await listIdentities(platform, viewer.id) }))
  serve(contract.removeIdentity, async ({ params }, { viewer }) => {
    await removeIdentity(platform, viewer.id, params.id)
    return { ok: true } as const
  })
  serve(contract.allowIdentity, async ({ params }, { viewer }) => {
    await allowIdentity(platform, viewer.id, params.id)
    return { ok: true } as const
  })
}

function unavailable({ log }: Platform, error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error
  log.warn({ reason: error.message }, 'the sign-in provider does not respond')
  return new AppError('unavailable', 'The sign-in provider does not answer. Try again later.')
}

/**
 * The failure to show on the login page. Errors that weren't caused by the provider or the visitor are logged as
 * errors.
 */
function failureIn({ log }: Platform, error: unknown): OidcFailure {
  if (error instanceof AppError && error.code === 'rate_limited') return 'limited'
  if (!(error instanceof ProviderError)) log.error({ err: error }, 'a sign-in with the provider failed')
  else if (error.failure !== 'denied') log.warn({ reason: error.message }, 'a sign-in with the provider was refused')
  return error instanceof ProviderError ? error.failure : 'failed'
}

/** The URL that the provider redirects to. The response always redirects to our own login page. */
function serveCallback(app: FastifyInstance, platform: Platform, provider: Provider): void {
  const { budgets, limits, sessions } = platform
  const receive = async (request: FastifyRequest) => {
    await budgets.countRequest(`GET ${callbackPath}`, request.ip, undefined, sessions.find)
    const begun = begunIn(platform, request.headers.cookie)
    if (!begun) throw new ProviderError('ended', new Error('this browser has not begun, or too long ago'))
    await limits.spend(rateLimits.oidcStarts, networkOf(request.ip))
    const claims = await provider.complete(new URL(request.url, provider.issuer).search, begun.flow)
    const { browser, cookie } = nameBrowser(platform)
    return { code: await keepProof(platform, claims, browser, begun.stays), cookie }
  }
  app.get(callbackPath, { schema: { hide: true } }, async (request, reply) => {
    try {
      const { code, cookie } = await receive(request)
      return reply.header('set-cookie', cookie).redirect(`/login#oidc=${code}`, 303)
    } catch (error) {
      const failure = failureIn(platform, error)
      return reply.header('set-cookie', endedCookie(platform)).redirect(`/login#oidc-failed=${failure}`, 303)
    }
  })
}
