import type { MyDetails } from '@duet/contract/profiles.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { ReceiptsSwitch } from './receipts-switch.tsx'

const details = { id: jun.id, photos: [], readReceipts: true } as unknown as MyDetails
afterEach(resetEndpoints)

async function draw() {
  signInAs(jun)
  mockEndpoint('GET /api/user/myDetails', () => details)
  const { user } = await renderPage(<ReceiptsSwitch />, { texts: ['own-settings'] })
  return { user, receipts: await screen.findByRole<HTMLInputElement>('switch', { name: /Read receipts/ }) }
}

it('turning off read receipts is saved immediately', async () => {
  const { user, receipts } = await draw()
  expect(receipts.checked).toBe(true)
  const saved = mockEndpoint('PATCH /api/user/updateUser', ({ body }) => ({ ...details, ...(body as object) }))
  await user.click(receipts)
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([{ readReceipts: false }]))
  await waitFor(() => expect(receipts.checked).toBe(false))
})

it('the read receipts switch goes back and shows an error if it can’t be saved', async () => {
  const { user, receipts } = await draw()
  mockEndpoint('PATCH /api/user/updateUser', () => problem(503, 'unavailable'))
  await user.click(receipts)
  expect(await screen.findByText('That couldn’t be saved. Please try again.')).toBeTruthy()
  expect(receipts.checked).toBe(true)
})
