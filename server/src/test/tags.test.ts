import { expect, it } from 'vitest'
import { tier } from '../../../tools/tier.ts'

it('npm test alone runs a test without a tag', () => expect(tier).toBe('quick'))
it('npm run test:long alone runs a test with the tag long', { tags: 'long' }, () => expect(tier).toBe('long'))
it('npm run test:release alone runs a test with the tag release', { tags: 'release' }, () =>
  expect(tier).toBe('release'),
)
