import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { BlockConfirm } from './safety.tsx'

beforeEach(() => signInAs(jun))
afterEach(resetEndpoints)

const maya = { id: 'u_maya', name: 'Maya' }
const lists = [
  ['reports', 'past'],
  ['deck'],
  ['nearby'],
  ['likes', 'received'],
  ['likes', 'waiting'],
  ['decisions', 'later'],
  ['matches'],
]

async function block() {
  mockEndpoint('PUT /api/blocks/:userId', () => ({ ok: true }))
  const onBlocked = vi.fn()
  const page = await renderPage(<BlockConfirm open onOpenChange={vi.fn()} person={maya} onBlocked={onBlocked} />, {
    texts: ['safety'],
  })
  for (const queryKey of lists) page.queryClient.setQueryData(queryKey, [])
  const dialog = within(await screen.findByRole('dialog', { name: 'Block Maya?' }))
  await page.user.click(dialog.getByRole('button', { name: 'Block Maya' }))
  await waitFor(() => expect(onBlocked).toHaveBeenCalled())
  const isOld = (queryKey: string[]) => page.queryClient.getQueryState(queryKey)?.isInvalidated
  return { ...page, isOld }
}

test('A blocked person leaves every list and count', async () => {
  const { isOld } = await block()
  expect(lists.filter((queryKey) => !isOld(queryKey))).toEqual([])
})

test('A failed unblock shows an error', async () => {
  await block()
  mockEndpoint('DELETE /api/blocks/:userId', () => problem(503, 'unavailable'))
  fireEvent.click(await screen.findByText('Undo'))
  expect(await screen.findByText('That didn’t work. Please try again.')).toBeTruthy()
})
