import { expect, it } from 'vitest'
import { createSecrets } from '../../platform/security/secrets.ts'
import { dateUrl, declineUrl, hashOf, macIn, macOf, macsOf, tokenOf } from './date-links.ts'

const config = { publicUrl: 'https://duet.example', port: 0 } as never
const before = { secrets: createSecrets('the key of before, long enough to be one'), config }
const now = {
  secrets: createSecrets('the key of today, long enough to be one', 'the key of before, long enough to be one'),
  config,
}
const id = '6f9619ff-8b86-4d01-b42d-00c04fc964ff'
const keyIn = (url: string) => url.split('/').at(-1) ?? ''

it('a link stays the same while the key that created it is still valid', () => {
  const token_hash = hashOf(tokenOf(before, id)) as Buffer
  expect(dateUrl(now, { id, token_hash })).toBe(dateUrl(before, { id, token_hash }))
  expect(dateUrl(now, { id, token_hash: hashOf(tokenOf(now, id)) as Buffer })).toContain(tokenOf(now, id))
})

it('someone who declined under an earlier key is remembered, and the link in an old email still works', () => {
  expect(macsOf(now, 'Ana@example.org')).toContainEqual(macOf(before, 'ana@example.org'))
  expect(macIn(now, keyIn(declineUrl(before, 'ana@example.org')))).toEqual(macOf(before, 'ana@example.org'))
  expect(macIn(before, keyIn(declineUrl(now, 'ana@example.org')))).toBeUndefined()
})
