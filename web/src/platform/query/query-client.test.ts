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

test('a change without a network fails immediately as offline', async () => {
  onlineManager.setOnline(false)
  mockEndpoint('DELETE /api/notifications', () => {
    throw new TypeError('Failed to fetch')
  })
  const clear = new MutationObserver(createQueryClient(), { mutationFn: () => call('DELETE /api/notifications') })
  // If the mutation waited for the network, it would never settle here.
  expect(await clear.mutate().catch(problemCode)).toBe('offline')
})
