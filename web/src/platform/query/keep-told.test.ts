import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { keepTold, readAnew } from './keep-told.ts'

/** An observed query. The test resolves each of its requests through `answers`. */
function shownList() {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const stored: string[] = ['old']
  const answers: (() => void)[] = []
  const queryFn = ({ signal: _ }: { signal: AbortSignal }) =>
    new Promise<string[]>((resolve) => {
      const then = [...stored]
      answers.push(() => resolve(then))
    })
  new QueryObserver(queryClient, { queryKey: ['list'], queryFn }).subscribe(() => undefined)
  const known = () => queryClient.getQueryData<string[]>(['list'])
  return { queryClient, stored, answers, known }
}

it.each(['first', 'later'])('an event that arrives during a %s fetch is kept', async (reading) => {
  const { queryClient, stored, answers, known } = shownList()
  if (reading === 'later') {
    answers[0]?.()
    await eventually(() => expect(known()).toEqual(['old']))
    void queryClient.invalidateQueries({ queryKey: ['list'] })
  }
  const before = answers.length
  stored.push('new')
  void keepTold<string[]>(queryClient, ['list'], (list) => list && [...list, 'new'])
  await eventually(() => expect(answers.length).toBe(before + 1))
  for (const answer of answers) answer()
  await eventually(() => expect(queryClient.isFetching()).toBe(0))
  expect(known()).toEqual(['old', 'new'])
})

it('a first fetch restarts if the data changes while it is in flight', async () => {
  const { queryClient, stored, answers, known } = shownList()
  stored.push('new')
  void readAnew(queryClient, { queryKey: ['list'] })
  await eventually(() => expect(answers.length).toBe(2))
  for (const answer of answers) answer()
  await eventually(() => expect(known()).toEqual(['old', 'new']))
})
