import type { MyDetails } from '@duet/contract/profiles.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { ProfileForm } from './profile-form.tsx'

const details = {
  ...jun,
  gender: 'man',
  genderText: '',
  pronouns: '',
  bio: '',
  intents: ['relationship'],
  interests: [],
  prompts: [],
  facts: {
    heightCm: null,
    children: null,
    smoking: 'often',
    drinking: null,
    diet: null,
    languages: ['en'],
    faith: null,
  },
} as unknown as MyDetails

beforeEach(() => {
  localStorage.clear()
  signInAs(jun)
})
afterEach(resetEndpoints)

let renew: (changes: Partial<MyDetails>) => void
function Page() {
  const [now, setNow] = useState(details)
  renew = (changes) => setNow({ ...details, ...changes })
  return <ProfileForm details={now} />
}

const draw = () => renderPage(<Page />, { texts: ['profiles', 'catalogue', 'ui'] })
const saved = () => mockEndpoint('PATCH /api/user/updateUser', () => details)
const save = () => screen.getByText('Save')
// Pastes instead of typing, because each keystroke would rerender the whole form.
async function put({ user }: Awaited<ReturnType<typeof draw>>, label: string, text: string): Promise<HTMLElement> {
  const field = screen.getByLabelText(label)
  await user.click(field)
  await user.paste(text)
  return field
}

test('Only changed facts are saved, in a single request', async () => {
  const sent = saved()
  const page = await draw()
  const { user } = page
  await put(page, 'Height', '172')
  await user.selectOptions(screen.getByLabelText('Food'), 'Vegetarian')
  await user.selectOptions(screen.getByLabelText('Smoking'), 'Not specified')
  await user.selectOptions(screen.getByLabelText('Languages', { selector: 'select' }), 'Portuguese')
  await user.click(screen.getByLabelText('Remove English'))
  await user.click(screen.getByText('Friendship'))
  await put(page, 'In your own words', 'trans man')
  await put(page, 'Pronouns', 'he/him')
  await user.click(save())
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toEqual({
    heightCm: 172,
    diet: 'vegetarian',
    smoking: null,
    languages: ['pt'],
    intents: ['relationship', 'friendship'],
    genderText: 'trans man',
    pronouns: 'he/him',
  })
})

test('A height is checked when its field is left, and a wrong one gets the focus on saving', async () => {
  const sent = saved()
  const page = await draw()
  const { user } = page
  const height = await put(page, 'Height', '17')
  expect(screen.queryByText(/Enter a height/)).toBeNull()
  await user.tab()
  expect(await screen.findByText('Enter a height between 120 and 230 cm, or leave it blank.')).toBeTruthy()
  await user.click(save())
  await waitFor(() => expect(document.activeElement).toBe(height))
  expect(sent).toEqual([])
  await put(page, 'Height', '٥')
  await user.click(save())
  await waitFor(() => expect(sent[0]?.body).toEqual({ heightCm: 175 }))
})

test('Edits made during a save are kept', async () => {
  let answer: () => void = () => undefined
  const sent = mockEndpoint('PATCH /api/user/updateUser', async ({ body }) => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return { ...details, ...(body as Partial<MyDetails>) }
  })
  const page = await draw()
  const bio = await put(page, 'A few words about you', 'I bake')
  await page.user.click(save())
  await waitFor(() => expect(sent).toHaveLength(1))
  await put(page, 'Pronouns', 'he/him')
  await put(page, 'A few words about you', ' bread')
  answer()
  await screen.findByText('Profile saved.')
  expect(bio).toHaveProperty('value', 'I bake bread')
  expect(screen.getByLabelText('Pronouns')).toHaveProperty('value', 'he/him')
})

test('An error disappears when the changes are discarded', async () => {
  mockEndpoint('PATCH /api/user/updateUser', () => problem(503, 'unavailable'))
  const page = await draw()
  await put(page, 'Pronouns', 'he')
  await page.user.click(save())
  await screen.findByText(/couldn’t be saved/)
  await page.user.click(screen.getByText('Discard'))
  await put(page, 'Pronouns', 'they')
  expect(screen.queryByText(/couldn’t be saved/)).toBeNull()
})

test('The language field says when no more languages can be added', async () => {
  saved()
  const { user } = await draw()
  const languages = screen.getByLabelText('Languages', { selector: 'select' })
  for (const name of ['Portuguese', 'Spanish', 'French', 'Italian']) await user.selectOptions(languages, name)
  expect(screen.getByText('You’ve chosen 5. Remove one to add another.')).toBeTruthy()
  expect(languages).toHaveProperty('disabled', true)
})

const bio = () => screen.getByLabelText('A few words about you')

test('A bio saved on another device shows, and saving another field doesn’t overwrite it', async () => {
  const sent = saved()
  const page = await draw()
  act(() => renew({ bio: 'New words from my phone' }))
  expect(bio()).toHaveProperty('value', 'New words from my phone')
  expect(screen.queryByText('Save')).toBeNull()
  await put(page, 'Height', '172')
  await page.user.click(save())
  await waitFor(() => expect(sent[0]?.body).toEqual({ heightCm: 172 }))
})

test('A bio that a moderator removed during an edit is saved again only if the person chooses to', async () => {
  const sent = saved()
  const page = await draw()
  act(() => renew({ bio: 'Rude words' }))
  await put(page, 'A few words about you', ', and more')
  await put(page, 'Pronouns', 'he/him')
  act(() => renew({ bio: '' }))
  await page.user.click(save())
  await waitFor(() => expect(sent[0]?.body).toEqual({ pronouns: 'he/him' }))
  expect(screen.getByText(/“A few words about you” was cleared elsewhere/)).toBeTruthy()
  await page.user.click(screen.getByText('Leave it blank'))
  expect(bio()).toHaveProperty('value', '')
})

test('A conflicting edit is saved only if the person chooses to keep it, even after a reload', async () => {
  const sent = saved()
  const page = await draw()
  await put(page, 'A few words about you', 'Mine')
  page.unmount()
  const again = await draw()
  act(() => renew({ bio: 'Theirs' }))
  expect(screen.getByText('Theirs')).toBeTruthy()
  expect(screen.queryByText('Save')).toBeNull()
  await again.user.click(screen.getByText('Keep mine'))
  await again.user.click(save())
  await waitFor(() => expect(sent[0]?.body).toEqual({ bio: 'Mine' }))
})

test.each([
  { prompts: { first: 'x' } },
  {
    prompts: { from: [], to: { first: 'x' } },
    bio: 'Words',
    name: null,
    interests: { from: [], to: [{}] },
    smoking: { from: null, to: 3 },
  },
  ['bio'],
  'bio',
  null,
])('A stored draft of another shape is ignored: %j', async (draft) => {
  localStorage.setItem('profile-draft:u_jun', JSON.stringify(draft))
  await draw()
  expect(bio()).toHaveProperty('value', '')
  expect(screen.queryByText('Save')).toBeNull()
})

test('Tabs share unsaved changes, which disappear from all once one tab saves or discards them', async () => {
  await draw()
  const tell = (draft: object) => {
    localStorage.setItem('profile-draft:u_jun', JSON.stringify(draft))
    window.dispatchEvent(new StorageEvent('storage', { key: 'profile-draft:u_jun' }))
  }
  act(() => tell({ bio: { from: '', to: 'From the other tab' } }))
  expect(bio()).toHaveProperty('value', 'From the other tab')
  act(() => tell({}))
  expect(bio()).toHaveProperty('value', '')
})

test('A warning says that unsaved changes aren’t kept when the device’s storage is full', async () => {
  const page = await draw()
  const setItem = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  vi.stubGlobal('localStorage', { getItem: () => null, setItem, removeItem: () => undefined })
  await put(page, 'Pronouns', 'he')
  await put(page, 'A few words about you', 'Hello')
  expect(screen.getByText(/this browser can’t keep/)).toBeTruthy()
  expect(screen.getByLabelText('Pronouns')).toHaveProperty('value', 'he')
  vi.unstubAllGlobals()
})

test('Changes whose save completes after the page was left are removed from the stored draft', async () => {
  let answer = () => {}
  mockEndpoint('PATCH /api/user/updateUser', () => new Promise((resolve) => (answer = () => resolve(details))))
  const page = await draw()
  await put(page, 'Pronouns', 'he/him')
  await page.user.click(save())
  await waitFor(() => expect(localStorage.getItem('profile-draft:u_jun')).toContain('he/him'))
  page.unmount()
  answer()
  await waitFor(() => expect(localStorage.getItem('profile-draft:u_jun')).toBeNull())
})
