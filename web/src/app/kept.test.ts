import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { set } from 'idb-keyval'
import { beforeEach, expect, test } from 'vitest'
import { ownDetailsKey } from '../features/accounts/accounts.ts'
import { personalStore } from '../platform/personal/stores.ts'
import { jun, signInAs } from '../test/render.tsx'
import { restoreKept } from './kept.ts'

beforeEach(() => signInAs(jun))

const details = { id: jun.id }
const restored = async (stored: unknown) => {
  await set(jun.id, stored, personalStore('kept'))
  const queryClient = new QueryClient()
  await restoreKept(queryClient, jun.id)
  return queryClient.getQueryData(ownDetailsKey)
}

test('data stored by this build is restored, and data stored by another build is ignored', async () => {
  const shown = [[ownDetailsKey, details]]
  expect(await restored({ build: '', shown })).toEqual(details)
  for (const stored of [{ build: 'earlier.js', shown }, shown, { shown }, {}, null])
    expect(await restored(stored)).toBeUndefined()
})
