import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageIn } from '../../platform/http/language.ts'
import type { Platform } from '../../platform/platform.ts'
import { networkOf } from '../../platform/security/rate-limit.ts'
import type { Origin } from './accounts.ts'
import { deviceCookie, newDeviceId } from './known-device.ts'
import { deviceOf } from './sessions.ts'

export const originOf = (request: FastifyRequest): Origin => ({
  network: networkOf(request.ip),
  cookie: request.headers.cookie,
  device: deviceOf(request.headers['user-agent']),
  newDeviceId: newDeviceId(),
  language: languageIn(request.headers['accept-language']),
})

/**
 * Sets the device cookie of a browser that has proved an address, so that its later attempts are counted separately
 * from strangers'.
 */
export function rememberDevice(platform: Platform, email: string, origin: Origin, reply: FastifyReply): FastifyReply {
  return reply.header('set-cookie', deviceCookie(platform, email, origin))
}
