import type { MyDetails } from '@duet/contract/profiles.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { ownDetailsKey } from '../accounts/accounts.ts'
import { keepOwnDetails } from './profiles.ts'

const named = (name: string) => ({ id: 'me', name, images: [] }) as unknown as MyDetails

it('A saved profile isn’t overwritten by the answer to an earlier request', async () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(ownDetailsKey, named('Old'))
  const answers: ((details: MyDetails) => void)[] = []
  const queryFn = () => new Promise<MyDetails>((resolve) => answers.push(resolve))
  const leave = new QueryObserver(queryClient, { queryKey: ownDetailsKey, queryFn, staleTime: 0 }).subscribe(
    () => undefined,
  )
  expect(answers).toHaveLength(1)
  keepOwnDetails(queryClient, named('New'))
  answers[0]?.(named('Old'))
  await eventually(() => expect(answers.length).toBe(2))
  expect(queryClient.getQueryData(ownDetailsKey)).toMatchObject({ name: 'New' })
  leave()
})
