import { waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { mockEndpoint, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import { useClaim } from './use-claim.ts'

afterEach(resetEndpoints)

function Open() {
  return <p>{useClaim('report', 'r1', true).state}</p>
}

test('A claim granted after the case was left is released', async () => {
  signInAs(jun)
  let give: () => void = () => undefined
  const taken = mockEndpoint('PUT /api/admin/claims/:kind/:id', async () => {
    await new Promise<void>((resolve) => {
      give = resolve
    })
    return { by: { id: jun.id, name: jun.name }, until: new Date().toISOString() }
  })
  const givenBack = mockEndpoint('DELETE /api/admin/claims/:kind/:id', () => ({ ok: true }))
  const { unmount } = await renderPage(<Open />)
  await waitFor(() => expect(taken).toHaveLength(1))
  unmount()
  expect(givenBack).toEqual([])
  give()
  await waitFor(() => expect(givenBack.map(({ url }) => url.pathname)).toEqual(['/api/admin/claims/report/r1']))
})
