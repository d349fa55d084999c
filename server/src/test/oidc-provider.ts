import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import OidcProvider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider'

/** A person's claims other than the subject. */
interface Known {
  email?: string
  email_verified?: unknown
}

export type Forgery = (header: Record<string, unknown>, claims: Record<string, unknown>) => void

export interface TestProvider {
  issuer: string
  environment: Record<string, string>
  people: Map<string, Known>
  forge(change: Forgery | undefined): void
  /** Signs forged tokens with a key the provider doesn't publish. */
  signElsewhere(): void
  break(isBroken: boolean): void
  close(): Promise<void>
}

const clientSecret = 'a secret of the provider & its client: "50%"'
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())

function signed(key: KeyObject, token: string, change: Forgery): string {
  const [head, body] = token.split('.')
  const [header, claims] = [decoded(head), decoded(body)]
  change(header, claims)
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${header.alg === 'none' ? '' : sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

const page = (address: string) => `<!doctype html><html lang="en"><title>Chess Club</title><main><h1>Chess Club</h1>
<form method="post" action="${address}"><label>Name <input name="account" autocomplete="off"></label>
<button>Sign in</button> <button name="deny" value="yes">Don't sign in</button></form></main></html>`

async function formOf(ctx: KoaContextWithOIDC): Promise<URLSearchParams> {
  const parts: Buffer[] = []
  for await (const part of ctx.req) parts.push(part as Buffer)
  return new URLSearchParams(Buffer.concat(parts).toString())
}

async function interact(provider: OidcProvider, ctx: KoaContextWithOIDC): Promise<void> {
  if (ctx.method === 'GET') {
    ctx.type = 'html'
    ctx.body = page(ctx.path)
    return
  }
  const form = await formOf(ctx)
  const result = form.has('deny')
    ? { error: 'access_denied', error_description: 'No one signed in.' }
    : { login: { accountId: form.get('account') ?? '' } }
  await provider.interactionFinished(ctx.req, ctx.res, result)
  ctx.respond = false
}

function configurationOf(people: Map<string, Known>, key: KeyObject, redirectUri: string): Configuration {
  return {
    clients: [{ client_id: 'duet', client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { email: ['email', 'email_verified'] },
    cookies: { keys: ['a key of the provider'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' }] },
    // Set explicitly, because the library warns about default values.
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    findAccount: (_ctx, sub) => {
      const known = people.get(sub)
      return known && { accountId: sub, claims: () => ({ sub, ...known }) as { sub: string } }
    },
    async loadExistingGrant({ oidc }) {
      const { Grant } = oidc.provider
      const grant = new Grant({ clientId: oidc.client?.clientId ?? '', accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  }
}

export async function startProvider({
  publicUrl,
  inToken,
}: {
  publicUrl?: string
  inToken?: boolean
} = {}): Promise<TestProvider> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const people = new Map<string, Known>()
  const redirectUri = `${publicUrl ?? 'https://duet.invalid'}/api/user/oidc/callback`
  const provider = new OidcProvider(issuer, {
    ...configurationOf(people, key, redirectUri),
    conformIdTokenClaims: !inToken,
  })
  if (!publicUrl) provider.Client.prototype.redirectUriAllowed = () => true
  const state = { change: undefined as Forgery | undefined, key, isBroken: false }
  provider.use(async (ctx, next) => {
    if (state.isBroken) {
      ctx.status = 503
      return
    }
    if (ctx.path.startsWith('/interaction/')) return interact(provider, ctx as KoaContextWithOIDC)
    await next()
    const body = ctx.body as { id_token?: string } | undefined
    if (state.change && ctx.path === '/token' && body?.id_token)
      ctx.body = { ...body, id_token: signed(state.key, body.id_token, state.change) }
  })
  server.on('request', provider.callback())
  return {
    issuer,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'duet',
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: 'Chess Club',
    },
    people,
    forge: (change) => {
      Object.assign(state, { change, key })
    },
    signElsewhere: () => {
      state.key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    },
    break: (isBroken) => {
      state.isBroken = isBroken
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
