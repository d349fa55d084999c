import { cleanup, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import type { Message } from '../chat/messages.ts'
import { waiting } from '../talk.test-people.ts'
import { BubbleMeta } from './bubble-meta.tsx'

beforeEach(() => signInAs(jun))
async function show(changes: Partial<Message>) {
  cleanup()
  await renderPage(<BubbleMeta message={waiting('a1', changes)} mine />, { texts: ['thread', 'conversations'] })
  return screen.queryAllByRole('button').map(({ textContent }) => textContent)
}
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

it('A message that hit a long rate limit says when it can be sent, and offers to retry or delete it', async () => {
  const limited = { delivery: 'failed', refusal: 'rate_limited' } as const
  const retryAt = inHours(20)
  expect(await show({ ...limited, retryAt })).toEqual(['Retry', 'Delete'])
  const when = new Date(retryAt).toLocaleDateString('en', { weekday: 'long' })
  expect(screen.getByText(/haven’t replied yet\. You can send it after/).textContent).toContain(when)
  expect(await show({ ...limited, retryAt: inHours(-1) })).toEqual(['Retry', 'Delete'])
  expect(screen.getByText('Not sent')).toBeDefined()
})

it('A message that keeps failing on the server says that it is still being tried, and offers to delete it', async () => {
  expect(await show({})).toEqual([])
  expect(await show({ refusal: 'unavailable' })).toEqual(['Delete'])
  expect(screen.getByText('Not sent yet. Still trying.')).toBeDefined()
})
