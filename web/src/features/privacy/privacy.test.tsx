import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { startBlur } from './blur.ts'
import { Folded } from './folded.tsx'
import { PrivacySection } from './privacy-section.tsx'

const open = {
  ...{ whoMayMessage: 'everyone' as const, incognito: false, hideDistance: false, hidePresence: false },
  ...{ blurPhotos: false, hiddenWords: [] as string[] },
}
beforeAll(() => import('@duet/contract/hidden-words.ts'))
beforeEach(() => signInAs(jun))
afterEach(() => {
  resetEndpoints()
  localStorage.clear()
  startBlur()
  document.documentElement.removeAttribute('data-blur-photos')
})
const texts = ['privacy', 'conversations', 'ui']

it('Every privacy switch explains what it does and doesn’t do', async () => {
  await renderPage(<PrivacySection />, { texts })
  for (const name of [
    /^Incognito.*doesn’t hide/,
    /^Hide my distance.*still shows/,
    /^Hide my activity.*doesn’t hide/,
    /^Blur.*doesn’t/,
  ])
    expect(screen.getByRole('switch', { name })).toHaveProperty('checked', false)
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Who can message me first' }).value).toBe('everyone')
})

it('A privacy change is saved, and is rolled back if saving fails', async () => {
  const kept = { ...open }
  const changes = mockEndpoint('PATCH /api/privacy', ({ body }) => Object.assign(kept, body as object))
  const { user } = await renderPage(<PrivacySection />, { texts })
  const incognito = screen.getByRole('switch', { name: /^Incognito/ })
  await user.click(incognito)
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ incognito: true }]))
  await waitFor(() => expect(incognito).toHaveProperty('checked', true))
  await user.selectOptions(screen.getByRole('combobox'), 'Verified people')
  await waitFor(() => expect(changes.at(-1)?.body).toEqual({ whoMayMessage: 'verified' }))
  mockEndpoint('PATCH /api/privacy', () => problem(500, 'internal'))
  await user.click(incognito)
  await waitFor(() => expect(incognito).toHaveProperty('checked', true))
})

it('Two privacy switches changed in quick succession both stay, and are saved in order', async () => {
  const kept = { ...open }
  const answers: (() => void)[] = []
  const changes = mockEndpoint('PATCH /api/privacy', async ({ body }) => {
    const all = { ...Object.assign(kept, body as object) }
    await new Promise<void>((resolve) => answers.push(resolve))
    return all
  })
  const { user } = await renderPage(<PrivacySection />, { texts })
  const [incognito, distance] = [/^Incognito/, /^Hide my distance/].map((name) => screen.getByRole('switch', { name }))
  await user.click(incognito as HTMLElement)
  await user.click(distance as HTMLElement)
  const stand = () => [incognito, distance].map((one) => (one as HTMLInputElement).checked)
  expect(stand()).toEqual([true, true])
  await waitFor(() => expect(answers).toHaveLength(1))
  answers[0]?.()
  await waitFor(() => expect(answers).toHaveLength(2))
  expect(stand()).toEqual([true, true])
  answers[1]?.()
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ incognito: true }, { hideDistance: true }]))
  expect(stand()).toEqual([true, true])
})

it('Hidden words can be added and removed, each once', async () => {
  const kept = { ...open }
  mockEndpoint('GET /api/privacy', () => kept)
  const changes = mockEndpoint('PATCH /api/privacy', ({ body }) => Object.assign(kept, body as object))
  const { user } = await renderPage(<PrivacySection />, { texts })
  const field = screen.getByRole('textbox', { name: 'Hidden words' })
  await user.type(field, '  big   deal {Enter}')
  expect(await screen.findByRole('button', { name: /big deal/ })).toBeTruthy()
  await user.type(field, 'big deal{Enter}')
  await user.click(screen.getByRole('button', { name: /big deal/ }))
  await waitFor(() => expect(screen.queryByRole('button', { name: /big deal/ })).toBeNull())
  expect(changes.map(({ body }) => body)).toEqual([{ hiddenWords: ['big deal'] }, { hiddenWords: [] }])
})

it('Adding a hidden word keeps the words that another device has added', async () => {
  const kept = { ...open, hiddenWords: ['theirs'] }
  mockEndpoint('GET /api/privacy', () => kept)
  const changes = mockEndpoint('PATCH /api/privacy', ({ body }) => Object.assign(kept, body as object))
  const { user } = await renderPage(<PrivacySection />, { texts })
  await user.type(screen.getByRole('textbox', { name: 'Hidden words' }), 'mine{Enter}')
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ hiddenWords: ['theirs', 'mine'] }]))
})

it('Text typed before a word is refused stays in the field', async () => {
  let refuse = () => {}
  mockEndpoint('GET /api/privacy', () => new Promise((resolve) => (refuse = () => resolve(problem(500, 'internal')))))
  const { user } = await renderPage(<PrivacySection />, { texts })
  const field = screen.getByRole('textbox', { name: 'Hidden words' })
  await user.type(field, 'one{Enter}two')
  refuse()
  await waitFor(() => expect(screen.queryByRole('button', { name: /one/ })).toBeNull())
  expect(field).toHaveProperty('value', 'two')
})

it('A change begun by one person isn’t sent once the next person has signed in', async () => {
  let answer = () => {}
  mockEndpoint('GET /api/privacy', () => new Promise((resolve) => (answer = () => resolve(open))))
  const changes = mockEndpoint('PATCH /api/privacy', () => open)
  const { user } = await renderPage(<PrivacySection />, { texts })
  await user.type(screen.getByRole('textbox', { name: 'Hidden words' }), 'mine{Enter}')
  signInAs({ ...jun, id: 'u_maya', token: 'hers' })
  answer()
  await waitFor(() => expect(screen.queryByRole('button', { name: /mine/ })).toBeNull())
  expect(changes).toEqual([])
})

it('Photos blur immediately, and from the start of the next visit', async () => {
  mockEndpoint('PATCH /api/privacy', () => ({ ...open, blurPhotos: true }))
  const { user } = await renderPage(<PrivacySection />, { texts })
  await user.click(screen.getByRole('switch', { name: /^Blur/ }))
  const isBlurred = () => document.documentElement.hasAttribute('data-blur-photos')
  await waitFor(() => expect(isBlurred()).toBe(true))
  document.documentElement.removeAttribute('data-blur-photos')
  startBlur()
  expect(isBlurred()).toBe(true)
})

it('A text with a hidden word is folded until opened, and then stays open', async () => {
  const page = (
    <Folded id="m1" text="Such a Café">
      Such a Café
    </Folded>
  )
  const { user, unmount } = await renderPage(page, { texts, privacy: { hiddenWords: ['cafe'] } })
  await user.click(await screen.findByRole('button', { name: 'Hidden by your hidden words Show' }))
  expect(screen.getByText('Such a Café')).toBeTruthy()
  unmount()
  await renderPage(page, { texts, privacy: { hiddenWords: ['cafe'] } })
  expect(screen.getByText('Such a Café')).toBeTruthy()
})

it('A text without a hidden word isn’t folded', async () => {
  await renderPage(
    <Folded id="m2" text="Cafeteria">
      Cafeteria
    </Folded>,
    { texts, privacy: { hiddenWords: ['cafe'] } },
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.getByText('Cafeteria')).toBeTruthy()
})
