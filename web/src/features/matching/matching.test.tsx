import type { MatchingRules } from '@duet/contract/matching.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import texts from '../../locales/en/matching.json'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { MatchingSettings } from './matching.tsx'
import MatchingScreen from './matching-screen.tsx'
import { isSayable, ruleParts, ruleValues } from './rule-words.ts'

const rules: MatchingRules = {
  constants: {
    congestionWeight: 1,
    inactivityPerDay: 0.03,
    inactivityDaysMost: 60,
    receivesLimit: 1.5,
    expectedMost: 0.3,
    wordsWeight: 2,
    blockSize: 10,
    exploreSlots: 1,
    receivedSlots: 3,
    newcomerImpressions: 50,
    newcomerHours: 48,
    newcomerShare: 0.8,
    secondThoughts: 0.02,
    answeredADay: 2,
    answeredBeyond: 0.2,
    trainingDays: 180,
    validationDays: 7,
    littleWeight: 1,
    somewhatWeight: 10,
    veryWeight: 50,
    questionsLeast: 5,
    reasonsMost: 3,
  },
  features: [
    { name: 'interests.shared', weight: 0.15 },
    { name: 'distance.log', weight: -2 },
    { name: 'outings.new_one', weight: 0.4 },
  ],
  modelVersion: 0,
  trainedAt: null,
  dailyLikes: 100,
}

// Read the server's source as text, to compare its lists with the names this page knows.
const serverFiles = import.meta.glob<string>('../../../../server/src/features/matching/{constants,pair}.ts', {
  eager: true,
  query: '?raw',
  import: 'default',
})
const serverFile = (name: string) => Object.entries(serverFiles).find(([path]) => path.endsWith(name))?.[1] ?? ''

beforeEach(() => signInAs(null))
afterEach(resetEndpoints)

async function read(given: MatchingRules = rules) {
  mockEndpoint('GET /api/matching', () => given)
  const page = await renderPage(<MatchingScreen />, { texts: ['matching'] })
  await screen.findByRole('heading', { name: 'What a match is' })
  return page
}
const part = (title: string) => screen.getByRole('heading', { name: title }).closest('section') as HTMLElement

test('Visitors can read every part, with the numbers that the server uses', async () => {
  await read()
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(ruleParts.length)
  expect(part('Room for surprises').textContent).toContain('1 in 10 cards shows someone outside your usual')
  expect(part('Room for everyone').textContent).toContain('33% of the chance still counts')
  expect(part('What decides the order').textContent).toContain('3% for each day, for at most 60 days')
  expect(part('What decides the order').textContent).toContain('made 2 or more matches in the last day')
  expect(part('New people').textContent).toContain('first 48 hours')
  expect(part('Two numbers about you').textContent).toContain('a factor of 4.5 at most')
  expect(part('Two numbers about you').textContent).toContain('changes the odds by 35% at most')
  expect(part('How it learns').textContent).toContain('teaches as much as 2 without')
  expect(part('Likes per day').textContent).toContain('100 likes a day')
  expect(document.body.textContent).not.toMatch(/\{\{|undefined|NaN/)
})

test('Every constant the page uses exists on the server', () => {
  const asked = new Set<string>()
  const constants = new Proxy<Record<string, number>>(
    {},
    {
      get: (_, name) => asked.add(String(name)) && undefined,
      has: (_, name) => asked.add(String(name)) && false,
    },
  )
  ruleValues({ ...rules, constants }, 'en')
  const known = [...serverFile('constants.ts').matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name)
  expect([...asked].filter((name) => !known.includes(name))).toEqual([])
  expect(asked.size).toBeGreaterThan(10)
})

test('Every feature of the ranking has a readable name', () => {
  const [, list = ''] = /productFeatures = allowFeatures\(\[(.*?)\]\)/s.exec(serverFile('pair.ts')) ?? []
  const names = [...list.matchAll(/'([\w.]+)'/g)].map(([, name = '']) => name.replaceAll('.', '_'))
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter((name) => !(name in texts.feature))).toEqual([])
})

test('Every sentence shows when all numbers are known', () => {
  const values = { ...ruleValues(rules, 'en') }
  for (const part of ruleParts) {
    const { says } = texts[part]
    for (const [key, sentence] of Object.entries(says))
      expect(isSayable(sentence, values[part]), `${part}.${key}`).toBe(true)
  }
})

test('A changed constant on the server changes the page', async () => {
  await read({ ...rules, constants: { ...rules.constants, exploreSlots: 2, blockSize: 15 }, dailyLikes: null })
  expect(part('Room for surprises').textContent).toContain('2 in 15 cards')
  expect(part('Likes per day').textContent).toContain('There’s no limit on likes.')
  expect(part('Likes per day').textContent).not.toContain('midnight')
})

test('A sentence with an unknown number is left out', async () => {
  const { newcomerHours: _, ...constants } = rules.constants
  await read({ ...rules, constants })
  expect(screen.queryByRole('heading', { name: 'New people' })).toBeNull()
})

test('Features are listed by weight, unknown ones by their name', async () => {
  await read()
  const order = within(part('What decides the order'))
  expect(order.getAllByRole('term').map((term) => term.textContent)).toEqual([
    'Distance',
    'outings.new_one',
    'Shared interests, rare ones more',
  ])
  expect(order.getAllByRole('definition').map((weight) => weight.textContent)).toEqual(['-2', '+0.4', '+0.15'])
  expect(order.getByText(/set by hand/)).toBeTruthy()
})

test('A trained model shows its version and date', async () => {
  await read({ ...rules, modelVersion: 7, trainedAt: '2026-11-20T12:00:00Z' })
  expect(screen.getByText(/Version 7, learned on November 20, 2026/)).toBeTruthy()
})

test('The page is honest about shared interests and lists what is never used', async () => {
  await read()
  expect(part('The reasons on a card').textContent).toContain('In our test they didn’t predict who matched.')
  expect(
    within(part('What’s never used'))
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toContain('Religion')
})

test('Numbers are formatted in the page’s language', () => {
  expect(ruleValues(rules, 'es').learned).toMatchObject({ factor: '4,5' })
  expect(ruleValues(rules, 'en').distance).toEqual({ steps: '5, 10, 25, 50, or 100' })
})

test('isSayable requires every number of a sentence', () => {
  expect(isSayable('Up to {{few}} of {{many}}', { few: 1, many: 2 })).toBe(true)
  expect(isSayable('Up to {{few}} of {{many}}', { few: 1 })).toBe(false)
})

test('The page shows an error if the rules can’t be loaded, and can retry', async () => {
  mockEndpoint('GET /api/matching', () => problem(400, 'malformed'))
  const { user } = await renderPage(<MatchingScreen />, { texts: ['matching'] })
  const retry = await screen.findByRole('button', { name: 'Retry' })
  mockEndpoint('GET /api/matching', () => rules)
  await user.click(retry)
  expect(await screen.findByRole('heading', { name: 'What a match is' })).toBeTruthy()
})

const details = { id: 'u_jun', photos: [], paused: false, learnFromMe: true } as unknown as MyDetails
async function settings() {
  signInAs(jun)
  mockEndpoint('GET /api/user/myDetails', () => details)
  const page = await renderPage(<MatchingSettings />, { texts: ['matching'] })
  await screen.findByRole('switch', { name: /Pause my profile/ })
  return page
}
const isOn = (name: RegExp) => screen.getByRole<HTMLInputElement>('switch', { name }).checked

test('The pause and learning switches save immediately', async () => {
  const { user } = await settings()
  expect([isOn(/Pause/), isOn(/Learn from/)]).toEqual([false, true])
  const calls = mockEndpoint('PATCH /api/user/updateUser', ({ body }) => ({ ...details, ...(body as object) }))
  await user.click(screen.getByRole('switch', { name: /Pause/ }))
  await waitFor(() => expect(isOn(/Pause/)).toBe(true))
  await user.click(screen.getByRole('switch', { name: /Learn from/ }))
  await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ paused: true }, { learnFromMe: false }]))
})

test('A switch that can’t be saved goes back and shows an error', async () => {
  const { user } = await settings()
  mockEndpoint('PATCH /api/user/updateUser', () => problem(503, 'unavailable'))
  await user.click(screen.getByRole('switch', { name: /Pause/ }))
  expect(await screen.findByText('That couldn’t be saved. Please try again.')).toBeTruthy()
  expect(isOn(/Pause/)).toBe(false)
})

test('Two switches changed in quick succession both stay, and are saved in order', async () => {
  const { user } = await settings()
  const answers: (() => void)[] = []
  let kept = details
  mockEndpoint('PATCH /api/user/updateUser', async ({ body }) => {
    kept = { ...kept, ...(body as object) }
    const told = kept
    await new Promise<void>((resolve) => answers.push(resolve))
    return told
  })
  await user.click(screen.getByRole('switch', { name: /Pause/ }))
  await user.click(screen.getByRole('switch', { name: /Learn from/ }))
  for (const place of [0, 1]) {
    expect([isOn(/Pause/), isOn(/Learn from/)]).toEqual([true, false])
    await waitFor(() => expect(answers).toHaveLength(place + 1))
    answers[place]?.()
  }
  await waitFor(() => expect([isOn(/Pause/), isOn(/Learn from/)]).toEqual([true, false]))
})

test('Resetting what was learned needs a confirmation', async () => {
  const { user } = await settings()
  const calls = mockEndpoint('DELETE /api/matching/learning', () => ({ ok: true }))
  await user.click(screen.getByRole('button', { name: 'Forget what Duet learned' }))
  const asking = within(await screen.findByRole('dialog', { name: 'Forget what Duet learned from you?' }))
  expect(calls).toHaveLength(0)
  await user.click(asking.getByRole('button', { name: 'Forget what Duet learned' }))
  expect(await screen.findByText('Done. Duet has forgotten what it learned from you.')).toBeTruthy()
  expect(calls).toHaveLength(1)
})
