import { expect, it } from 'vitest'
import { messageId } from './message-id.ts'

it('makes a UUID of version 7', () => {
  expect(messageId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

it('is made from the time', () => {
  expect(messageId(0x0123456789ab)).toMatch(/^01234567-89ab-7/)
  expect(messageId(1_000) < messageId(2_000)).toBe(true)
})
