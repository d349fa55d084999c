import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { open, seal } from './sealed.ts'
import { createSecrets } from './secrets.ts'
import { isSigned, sign } from './signed-urls.ts'

const before = createSecrets('the key that was')
const changed = createSecrets('the key that is', 'the key that was')
const after = createSecrets('the key that is')

const platform = (secrets: typeof before) => ({ secrets, clock: systemClock })
function signedBy(secrets: typeof before) {
  const query = new URLSearchParams(sign(platform(secrets), 'photo-url', 'a.webp', 'ana'))
  const [viewer = '', expires, signature = ''] = ['viewer', 'expires', 'signature'].map((name) => query.get(name) ?? '')
  return { viewer, expires: Number(expires), signature }
}

test('Signed URLs survive a key change only while the previous key is configured', () => {
  const old = signedBy(before)
  expect(isSigned(platform(changed), 'photo-url', 'a.webp', old)).toBe(true)
  expect(isSigned(platform(after), 'photo-url', 'a.webp', old)).toBe(false)
  expect(isSigned(platform(changed), 'photo-url', 'b.webp', old)).toBe(false)
})

test('New URLs are signed with the new key', () => {
  expect(isSigned(platform(after), 'photo-url', 'a.webp', signedBy(changed))).toBe(true)
  expect(isSigned(platform(before), 'photo-url', 'a.webp', signedBy(changed))).toBe(false)
})

test('Data sealed before a key change can be opened, but only for its owner', () => {
  const sealed = seal(before, 'second-factor', 'ana', Buffer.from('words'))
  expect(open(changed, 'second-factor', 'ana', sealed)?.toString()).toBe('words')
  expect(open(changed, 'second-factor', 'ben', sealed)).toBeUndefined()
  expect(open(changed, 'selfie', 'ana', sealed)).toBeUndefined()
  expect(open(after, 'second-factor', 'ana', sealed)).toBeUndefined()
})
