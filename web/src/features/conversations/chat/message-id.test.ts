import { expect, it } from 'vitest'
import { messageId } from './message-id.ts'

it('A message id is a version 7 UUID', () => {
  expect(messageId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

it('Message ids sort by the time they were made', () => {
  expect(messageId(0x0123456789ab)).toMatch(/^01234567-89ab-7/)
  expect(messageId(1_000) < messageId(2_000)).toBe(true)
})
