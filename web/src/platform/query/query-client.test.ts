import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { mockEndpoint, resetEndpoints } from '../../test/mock-endpoint.ts'
import { call } from '../call.ts'
import { problemCode } from '../problem.ts'
import { createQueryClient } from './query-client.ts'

afterEach(() => {
  onlineManager.setOnline(true)
  resetEndpoints()
})

test('without a network an act fails at once, and says why', async () => {
  onlineManager.setOnline(false)
  mockEndpoint('DELETE /api/notifications', () => {
    throw new TypeError('Failed to fetch')
  })
  const clear = new MutationObserver(createQueryClient(), { mutationFn: () => call('DELETE /api/notifications') })
  // One that waits for the network never ends here.
  expect(await clear.mutate().catch(problemCode)).toBe('offline')
})
