import { expect, it } from 'vitest'
import { plainError } from './logger.ts'

const thrown = (cause: () => unknown): unknown => {
  try {
    return cause()
  } catch (error) {
    return error
  }
}

const invalid = 'secret('

it.each([
  ['a pattern that doesn’t compile', () => new RegExp(invalid, 'u')],
  ['a text that isn’t JSON', () => JSON.parse('{"word": secret}')],
  [
    'the database',
    () => {
      throw Object.assign(new Error('Key (word)=(secret) already exists'), { severity: 'ERROR' })
    },
  ],
])('The error of %s is logged with its type and without the words it quotes', (_what, cause) => {
  const logged = plainError(thrown(cause))
  expect(JSON.stringify(logged)).not.toContain('secret')
  expect(logged).toMatchObject({ type: expect.any(String) })
})
