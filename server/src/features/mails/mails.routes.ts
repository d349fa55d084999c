import * as contract from '@duet/contract/mails.ts'
import type { FastifyInstance } from 'fastify'
import { createServe, type Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { getMailState, resumeMails, retryMails } from './sending.ts'
import { pageOf, unsubscribe } from './unsubscribing.ts'

const longestForm = 4_096

const field = 'List-Unsubscribe'

/**
 * Reads the field from a multipart form: the head of a part ends at an empty line, its value at the next line break.
 */
function inParts(form: string): string | undefined {
  const blocks = form.split('\r\n\r\n')
  const head = blocks.findIndex((block) => [`name="${field}"`, `name=${field}`].some((name) => block.includes(name)))
  return head < 0 ? undefined : blocks[head + 1]?.split('\r\n', 1)[0]
}

/** Parses the forms that email programs post to unsubscribe: one field, in either of the two encodings of RFC 8058. */
function takeForms(app: FastifyInstance): void {
  const given = (value: string | null | undefined) => (value ? { [field]: value } : {})
  const options = { parseAs: 'string', bodyLimit: longestForm } as const
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', options, (_request, text, done) =>
    done(null, given(new URLSearchParams(text).get(field))),
  )
  app.removeContentTypeParser('multipart/form-data')
  app.addContentTypeParser<string>('multipart/form-data', options, (_request, text, done) =>
    done(null, given(inParts(text))),
  )
}

export function mailRoutes(serve: Serve, app: FastifyInstance, platform: Platform): void {
  serve(contract.getMailState, (_, { viewer }) => getMailState(platform, viewer.id))
  serve(contract.retryMail, async (_, { viewer }) => {
    await retryMails(platform, viewer.id)
    return { ok: true } as const
  })
  serve(contract.resumeMail, async ({ body }, { viewer }) => {
    await resumeMails(platform, viewer.id, body.group)
    return getMailState(platform, viewer.id)
  })
  // In its own plugin, because no other route may accept forms: other sites' pages can send them without a preflight.
  // biome-ignore lint/plugin/void: Fastify reports a plugin's failure when the app starts.
  void app.register(async (forms) => {
    takeForms(forms)
    createServe(forms, platform)(contract.unsubscribe, async ({ query }) => ({
      group: await unsubscribe(platform, query.token),
    }))
    // Email scanners open every URL in an email. So GET only redirects to a page with a button and unsubscribes nobody.
    forms.get('/api/mail/unsubscribe', { schema: { hide: true } }, async (request, reply) => {
      const { token } = contract.unsubscribe.query.parse(request.query)
      return reply.redirect(pageOf(token), 303)
    })
  })
}
