import i18next from 'i18next'
import { afterEach, expect, test } from 'vitest'
import { call } from '../../platform/call.ts'
import { startI18n } from '../../platform/i18n.ts'
import { mockEndpoint, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, signInAs } from '../../test/render.tsx'
import { followLanguage } from './language.ts'

afterEach(resetEndpoints)

test('Only a signed-in person’s change of language is saved on the server, and code requests carry the language', async () => {
  const told = mockEndpoint('PUT /api/user/language', () => ({ ok: true as const }))
  signInAs(jun)
  // Start as on a freshly loaded page; earlier tests in this worker have set a language.
  i18next.language = undefined as never
  const stop = followLanguage()
  await startI18n('en')
  signInAs(null)
  await i18next.changeLanguage('es')
  const asked = mockEndpoint('POST /api/user/requestOtp', () => ({ expiresIn: 600, resendIn: 30 }))
  await call('POST /api/user/requestOtp', { body: { email: 'ana@example.org' } })
  expect(asked[0]?.headers.get('accept-language')).toBe('es')
  signInAs(jun)
  await i18next.changeLanguage('ar')
  stop()
  await i18next.changeLanguage('en')
  expect(told.map(({ body }) => body)).toEqual([{ language: 'ar' }])
})
