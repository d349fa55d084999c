import type { FastifyInstance } from 'fastify'
import type { SecurityEvents } from './platform/security/security-events.ts'

const done: Record<string, string> = {
  'POST /api/user/requestOtp': 'code_asked',
  'POST /api/user/register': 'sign_up',
  'POST /api/user/authenticate': 'sign_in',
  'POST /api/user/reauthenticate': 'step_up',
  'PUT /api/user/password': 'password_set',
  'DELETE /api/user/password': 'password_removed',
  'POST /api/user/recoveryCodes': 'recovery_codes_made',
  'POST /api/user/addressChange/confirm': 'address_changed',
  'POST /api/user/addressChange/undo': 'address_undone',
  'POST /api/user/signOut': 'sign_out',
  'POST /api/user/signOutEverywhere': 'sign_out_everywhere',
  'DELETE /api/user/sessions/:id': 'sign_out',
  'PUT /api/blocks/:userId': 'block',
  'POST /api/reports': 'report',
  'POST /api/export': 'export',
  'POST /api/erasure': 'erasure',
}

const failed: Record<string, string> = {
  'POST /api/user/verifyOtp': 'sign_in_failed',
  'POST /api/user/register': 'sign_up_failed',
  'POST /api/user/authenticate': 'sign_in_failed',
  'POST /api/user/reauthenticate': 'step_up_failed',
  'POST /api/user/addressChange/confirm': 'address_change_failed',
}

export function watchAnswers(app: FastifyInstance, security: SecurityEvents): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = `${request.method} ${request.routeOptions.url ?? 'unknown'}`
    const { viewerId: userId, problem: code, ip: address, id: requestId } = request
    const happening = { userId, address, route, code, requestId }
    if (code) {
      security.noteProblem(code, happening)
      if (code === 'invalid_credentials') security.note(failed[route] ?? 'proof_failed', happening)
      return
    }
    if (reply.statusCode >= 400) return
    const event = done[route] ?? (route.includes(' /api/admin/') ? 'admin' : undefined)
    if (event) security.note(event, happening)
  })
}
