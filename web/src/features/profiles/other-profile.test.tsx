import type { Profile } from '@duet/contract/profiles.ts'
import { screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { useReportStore } from '../reports/report-store.ts'
import { OtherProfile } from './other-profile.tsx'

const ines: Profile = {
  id: 'ines',
  name: 'Ines',
  age: 31,
  images: [],
  photos: [],
  distanceKm: 5,
  area: 'Lisbon',
  bio: 'Slow mornings.',
  interests: ['cats', 'chess', 'ceramics'],
  active: 'today',
  verified: false,
  reasons: [],
  why: [],
  gender: 'woman',
  genderText: '',
  pronouns: 'she/her',
  intents: ['relationship'],
  prompts: [],
  facts: {
    heightCm: null,
    children: 'open',
    smoking: null,
    drinking: null,
    diet: null,
    languages: [],
    faith: null,
  },
  questions: { agreed: 3, asked: 4 },
  myDecision: null,
  matched: false,
  canLike: true,
  mayMessage: true,
}

// What opens slowly the first time is not what these tests wait for.
beforeAll(() => import('../../ui/menu-list.tsx'))
beforeEach(() => {
  signInAs(jun)
  mockEndpoint('GET /api/user/myDetails', () => ({ interests: ['cats', 'ceramics', 'tea'] }) as never)
})
afterEach(resetEndpoints)

const draw = () => renderPage(<OtherProfile id="ines" />, { texts: ['profiles', 'catalogue', 'discovery'] })

test('shows what is shared, the facts, and what can be done', async () => {
  mockEndpoint('GET /api/user/:id', () => ines)
  await draw()
  expect(await screen.findByText('· 2 in common')).toBeTruthy()
  expect(screen.getByText('You agree on 3 of 4 questions')).toBeTruthy()
  expect(screen.getByText('Open to children')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Like' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Message' }).getAttribute('href')).toBe('/chat/ines')
})

test('asks for no decision once it is a match', async () => {
  mockEndpoint('GET /api/user/:id', () => ({ ...ines, myDecision: 'like', matched: true }))
  await draw()
  expect(await screen.findByRole('link', { name: 'Message' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Like' })).toBeNull()
})

test('says beforehand where one may not write first', async () => {
  mockEndpoint('GET /api/user/:id', () => ({ ...ines, mayMessage: false }))
  await draw()
  expect(await screen.findByText('You cannot be the first to write to Ines. Once you match, you can.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Message' })).toBeNull()
})

test('is gone for whoever may not see it', async () => {
  mockEndpoint('GET /api/user/:id', () => problem(404, 'not_found'))
  await draw()
  expect(await screen.findByText(/This profile is not here/)).toBeTruthy()
})

test('each photo has a menu of its own, that reports it', async () => {
  const photoOf = (fileName: string) => ({ fileName, url: `/${fileName}?`, alt: '', width: 3, height: 4, blurhash: '' })
  mockEndpoint('GET /api/user/:id', () => ({ ...ines, photos: [photoOf('a.webp'), photoOf('b.webp')] }))
  const { user } = await draw()
  const menus = await screen.findAllByRole('button', { name: /^More about photo \d of Ines$/ })
  expect(menus).toHaveLength(2)
  await user.click(menus[1] as HTMLElement)
  await user.click(await screen.findByRole('menuitem', { name: 'Report this photo' }))
  const { asked, open } = useReportStore.getState()
  expect({ open, ...asked }).toMatchObject({
    open: true,
    userId: 'ines',
    name: 'Ines',
    subject: { kind: 'photo', fileName: 'b.webp' },
  })
})
