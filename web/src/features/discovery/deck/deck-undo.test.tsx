import type { Profile } from '@duet/contract/profiles.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { firstQuick } from '../../../../../tools/tier.ts'
import { aDeck, anAnswer, aPool, aProfile, likesToday, myDetails } from '../../../test/deck.ts'
import { mockEndpoint, problem, resetEndpoints, type SeenCall } from '../../../test/mock-endpoint.ts'
import { renderPage } from '../../../test/render.tsx'
import { useMatchNews } from '../../matches/match-news.ts'
import HomeScreen from '../home-screen.tsx'

const texts = ['discovery', 'catalogue', 'profiles', 'places', 'common', 'matches']
const [ines, maya, noor, zoe] = [aProfile('Ines'), aProfile('Maya'), aProfile('Noor'), aProfile('Zoe')]
const people = [ines, maya, noor, zoe]

beforeEach(() => {
  localStorage.clear()
  mockEndpoint('GET /api/user/myDetails', () => myDetails())
  mockEndpoint('POST /api/pool', () => aPool())
})
afterEach(resetEndpoints)

const idOf = ({ url }: SeenCall) => url.pathname.split('/').at(-1) as string
const decisionOf = ({ body }: SeenCall) => (body as { decision: 'like' | 'pass' | 'later' }).decision
const lost = () => {
  throw new TypeError('the line is broken')
}

function serve(decided: string[] = []) {
  const counts = () => ({
    ...{ today: likesToday(decided.length), undoable: decided.length, undoNext: decided.at(-1) ?? null },
  })
  const decide = (call: SeenCall) => {
    decided.push(idOf(call))
    return anAnswer(decisionOf(call), counts())
  }
  const undo = ({ body }: SeenCall) => {
    if (decided.length === 0) return problem(404, 'not_found')
    const { userId = decided.at(-1) } = (body ?? {}) as { userId?: string }
    if (decided.at(-1) !== userId) return problem(409, 'conflict')
    decided.pop()
    const card = people.find(({ id }) => id === userId) as Profile
    return { userId: card.id, decision: 'pass' as const, card, ...counts() }
  }
  mockEndpoint('GET /api/deck', () =>
    aDeck(
      people.filter(({ id }) => !decided.includes(id)),
      counts(),
    ),
  )
  const puts = mockEndpoint('PUT /api/decisions/:userId', decide)
  const posts = mockEndpoint('POST /api/decisions/undo', undo)
  return { decided, decide, undo, counts, puts, posts }
}

function hold<K extends Parameters<typeof mockEndpoint>[0]>(name: K) {
  const waiting: ((give: () => unknown) => void)[] = []
  const seen = mockEndpoint(
    name,
    () =>
      new Promise<never>((resolve, reject) => {
        waiting.push((give) => {
          try {
            resolve(give() as never)
          } catch (error) {
            reject(error as Error)
          }
        })
      }),
  )
  const answer = async (give: (call: SeenCall) => unknown) => {
    await waitFor(() => expect(waiting.length).toBeGreaterThan(0))
    const call = seen.at(-waiting.length) as SeenCall
    await act(async () => waiting.shift()?.(() => give(call)))
  }
  return { seen, answer }
}

async function draw() {
  const page = await renderPage(<HomeScreen />, { texts })
  await screen.findByRole('article')
  return page
}
const top = () => screen.getByRole('article').getAttribute('aria-label')?.replace(', 31', '')
// Search only the deck, because a toast may also have an Undo button.
const button = (name: string) => within(screen.getByRole('region', { name: 'Deck' })).getByRole('button', { name })
const named = (calls: SeenCall[]) => calls.map(({ body }) => (body as { userId: string } | undefined)?.userId)
const settled = (page: Awaited<ReturnType<typeof draw>>) =>
  waitFor(() => {
    expect(page.queryClient.isMutating()).toBe(0)
    expect(page.queryClient.isFetching()).toBe(0)
  })

const refusals = [
  ['refused', 409, 'conflict', 'Ines'],
  ['above the limit', 409, 'daily_limit_reached', 'Ines'],
  ['too quick', 429, 'rate_limited', 'Ines'],
  ['about someone who has gone', 404, 'not_found', 'Maya'],
] as const
for (const { tags, cases } of firstQuick(1, refusals))
  test.each(cases)(
    'Undoing a decision that is then %s sends nothing and keeps the earlier decisions',
    { tags },
    async (...row) => {
      const [, status, code, shown] = row
      const server = serve(['zoe'])
      const page = await draw()
      const put = hold('PUT /api/decisions/:userId')
      await page.user.click(button('Like'))
      await page.user.click(button('Undo'))
      expect(top()).toBe('Ines')
      await put.answer(() => problem(status, code))
      await settled(page)
      expect(server.posts).toEqual([])
      expect(server.decided).toEqual(['zoe'])
      expect(screen.getByText('99 likes left today')).toBeTruthy()
      expect(top()).toBe(code === 'not_found' || code === 'conflict' ? shown : 'Ines')
      await page.user.click(button('Undo'))
      await settled(page)
      expect(named(server.posts)).toEqual(['zoe'])
      expect(top()).toBe('Zoe')
    },
  )

test('Undoing a decision whose answer was lost is sent, because the server may have it', { tags: 'long' }, async () => {
  const server = serve(['zoe'])
  const page = await draw()
  const put = hold('PUT /api/decisions/:userId')
  await page.user.click(button('Like'))
  await page.user.click(button('Undo'))
  await put.answer((call) => {
    server.decide(call)
    return lost()
  })
  await settled(page)
  expect(named(server.posts)).toEqual(['ines'])
  expect(server.decided).toEqual(['zoe'])
  expect(top()).toBe('Ines')
  expect(await screen.findByText(/We didn’t get an answer/)).toBeTruthy()
})

test('Undoing a decision that never arrived undoes nothing else', { tags: 'long' }, async () => {
  const server = serve(['zoe'])
  const page = await draw()
  const put = hold('PUT /api/decisions/:userId')
  await page.user.click(button('Like'))
  await page.user.click(button('Undo'))
  await put.answer(lost)
  await settled(page)
  expect(named(server.posts)).toEqual(['ines'])
  expect(server.decided).toEqual(['zoe'])
  expect(top()).toBe('Ines')
  expect(screen.queryByText(/no longer your latest/)).toBeNull()
})

test('Undo names a decision of an earlier visit, and waits for the next name', async () => {
  const server = serve(['noor', 'zoe'])
  const page = await draw()
  const post = hold('POST /api/decisions/undo')
  await page.user.click(button('Undo'))
  expect(button('Undo').getAttribute('aria-disabled')).toBe('true')
  await post.answer(server.undo)
  await settled(page)
  expect(top()).toBe('Zoe')
  await page.user.click(button('Undo'))
  await post.answer(server.undo)
  expect(named(post.seen)).toEqual(['zoe', 'noor'])
})

test('Pressing undo again after a lost answer doesn’t undo an earlier decision', { tags: 'long' }, async () => {
  const server = serve(['zoe'])
  const page = await draw()
  await page.user.click(button('Pass'))
  await settled(page)
  const post = hold('POST /api/decisions/undo')
  hold('GET /api/deck')
  await page.user.click(button('Undo'))
  await post.answer((call) => {
    server.undo(call)
    return lost()
  })
  await page.user.click(button('Undo'))
  await post.answer(server.undo)
  expect(named(post.seen)).toEqual(['ines', 'ines'])
  expect(server.decided).toEqual(['zoe'])
})

test('An undo changes nothing and shows a message if another device has decided since', { tags: 'long' }, async () => {
  const server = serve()
  const page = await draw()
  await page.user.click(button('Pass'))
  await settled(page)
  server.decided.push('zoe')
  await page.user.click(button('Undo'))
  expect(await screen.findByText(/no longer your latest choice/)).toBeTruthy()
  await settled(page)
  expect(server.decided).toEqual(['ines', 'zoe'])
  expect(top()).toBe('Maya')
  await page.user.click(button('Undo'))
  await settled(page)
  expect(named(server.posts)).toEqual(['ines', 'zoe'])
  expect(top()).toBe('Zoe')
})

test('When the first of two undos fails, the next undo still takes back the newest decision', {
  tags: 'long',
}, async () => {
  const server = serve()
  const page = await draw()
  await page.user.click(button('Pass'))
  await page.user.click(button('Pass'))
  await settled(page)
  const post = hold('POST /api/decisions/undo')
  await page.user.click(button('Undo'))
  await page.user.click(button('Undo'))
  await post.answer(lost)
  await post.answer(server.undo)
  await settled(page)
  expect(top()).toBe('Noor')
  expect(server.decided).toEqual(['ines', 'maya'])
  await page.user.click(button('Undo'))
  await post.answer(server.undo)
  await settled(page)
  expect(named(post.seen)).toEqual(['maya', 'ines', 'maya'])
  expect(top()).toBe('Maya')
})

test('A like that turns out to be a match can’t be undone, and its card leaves', async () => {
  const server = serve(['zoe'])
  const page = await draw()
  const put = hold('PUT /api/decisions/:userId')
  await page.user.click(button('Like'))
  await page.user.click(button('Undo'))
  const user = { id: 'ines', name: 'Ines', photo: null }
  await put.answer((call) => ({
    ...anAnswer(decisionOf(call), server.counts()),
    match: { user, matchedAt: likesToday(0).resetsAt, openers: [], hasMessages: false },
  }))
  await settled(page)
  expect(server.posts).toEqual([])
  expect(useMatchNews.getState().shown?.user.name).toBe('Ines')
  await waitFor(() => expect(top()).toBe('Maya'))
  useMatchNews.setState({ shown: null })
})

test('A card that is decided, undone and decided again doesn’t come back briefly', {
  tags: 'long',
}, async () => {
  const server = serve()
  const page = await draw()
  const put = hold('PUT /api/decisions/:userId')
  await page.user.click(button('Like'))
  await page.user.click(button('Undo'))
  await page.user.click(button('Later'))
  await put.answer(server.decide)
  await waitFor(() => expect(put.seen).toHaveLength(2))
  expect(top()).toBe('Maya')
  expect(named(server.posts)).toEqual(['ines'])
  await put.answer(server.decide)
  await settled(page)
  expect(put.seen.map(decisionOf)).toEqual(['like', 'later'])
  expect(top()).toBe('Maya')
})

const press = (key: string) => fireEvent.keyDown(document.body, { key })

test('Two keys before the next card renders make one decision about the visible person', async () => {
  const server = serve()
  const page = await draw()
  await act(async () => {
    press('ArrowRight')
    press('ArrowLeft')
  })
  await settled(page)
  expect(server.puts.map((call) => [idOf(call), decisionOf(call)])).toEqual([['ines', 'like']])
  expect(top()).toBe('Maya')
})

test('The undo key right after a decision key undoes that decision', async () => {
  const server = serve(['zoe'])
  const page = await draw()
  await act(async () => {
    press('ArrowLeft')
    press('z')
  })
  await settled(page)
  expect(named(server.posts)).toEqual(['ines'])
  expect(server.decided).toEqual(['zoe'])
  expect(top()).toBe('Ines')
})

test('After a decision about someone who is gone, the deck follows the server', async () => {
  const server = serve()
  const page = await draw()
  mockEndpoint('PUT /api/decisions/:userId', () => problem(404, 'not_found'))
  server.decided.push('ines', 'zoe')
  await page.user.click(button('Pass'))
  await screen.findByText('Ines isn’t here any more.')
  await settled(page)
  expect(screen.getByText('98 likes left today')).toBeTruthy()
  expect(top()).toBe('Maya')
})
