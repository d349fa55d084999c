import type { PhotoForReview } from '@duet/contract/moderation.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import ModerationScreen from './moderation-screen.tsx'

const uploadedAt = '2026-05-01T12:00:00Z'
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const factor = { enrolled: false, required: false, verifiedUntil: null, recoveryCodesLeft: 0, hasPasskey: false }
const figures = {
  queues: [
    { kind: 'report', severity: 'urgent', open: 2, oldestAge: 600, medianAge: 300 },
    { kind: 'report', severity: 'normal', open: 3, oldestAge: 90_000, medianAge: 7_200 },
  ],
  weeks: [],
  decisions: [],
  appeals: { decided: 0, reversed: 0, reversedShare: null },
} as const

beforeEach(() => {
  signInAs({ ...jun, isSuperAdmin: true })
  mockEndpoint('GET /api/admin/second-factor', () => factor)
  mockEndpoint('GET /api/admin/moderation/figures', () => ({
    ...figures,
    queues: [...figures.queues],
    weeks: [],
    decisions: [],
  }))
  mockEndpoint('GET /api/admin/photos', () => ({ photos: [], nextCursor: null }))
  mockEndpoint('GET /api/admin/models', () => ({
    models: [{ version: 0, trainedAt: null, active: true, metrics: {} }],
  }))
  mockEndpoint('GET /api/admin/settings', () => ({ dailyLikes: 100 }))
})
afterEach(resetEndpoints)

const draw = (path = '/admin?view=photos') =>
  renderPage(<ModerationScreen />, { path, texts: ['moderation', 'insights'] })
const title = (name: string) => screen.findByRole('heading', { level: 1, name })

test('The photo queue has its own address', async () => {
  await draw('/admin?view=photos')
  await title('Photos')
  expect(await screen.findByText('No photos to review. You’re done for now.')).toBeTruthy()
})

test('A photo is claimed while someone looks at it, and one claimed by another moderator can’t be decided', async () => {
  const photo = { url: '/p.webp', alt: '', width: 3, height: 4, blurhash: '', srcSet: '' }
  const waiting = (fileName: string, name: string) =>
    ({ photo: { ...photo, fileName }, state: 'pending', owner: { id: name, name }, uploadedAt, claim: null }) as const
  mockEndpoint('GET /api/admin/photos', () => ({
    photos: [waiting('a.webp', 'Ana'), waiting('b.webp', 'Ben')],
    nextCursor: null,
  }))
  const claims = mockEndpoint('PUT /api/admin/claims/:kind/:id', ({ url }) =>
    url.pathname.endsWith('b.webp') ? problem(409, 'conflict') : { by: { id: jun.id, name: 'Jun' }, until: inAnHour() },
  )
  const given = mockEndpoint('DELETE /api/admin/claims/:kind/:id', () => ({ ok: true }))
  const { user } = await draw()
  const [ana, ben] = within(await screen.findByRole('list', { name: 'Photos to review' })).getAllByRole('listitem')
  await user.click(within(ana as HTMLElement).getByRole('button', { name: /^View / }))
  await waitFor(() => expect(claims.map(({ url }) => url.pathname)).toEqual(['/api/admin/claims/photo/a.webp']))
  await user.click(within(ben as HTMLElement).getByRole('button', { name: /^View / }))
  await waitFor(() => expect(given.map(({ url }) => url.pathname)).toEqual(['/api/admin/claims/photo/a.webp']))
  const approve = within(ben as HTMLElement).getByRole('button', { name: 'Approve' })
  await waitFor(() => expect(approve).toHaveProperty('disabled', true))
  expect(within(ana as HTMLElement).getByRole('button', { name: 'Approve' })).toHaveProperty('disabled', false)
})

test.each([
  ['it isn’t claimed', []],
  ['an earlier claim stays', ['/api/admin/claims/photo/a.webp']],
])('While a photo is being decided, %s', async (_, claimed) => {
  const photo = { url: '/p.webp', alt: '', width: 3, height: 4, blurhash: '', srcSet: '', fileName: 'a.webp' }
  let photos = [
    { photo, state: 'pending', owner: { id: 'ana', name: 'Ana' }, uploadedAt, claim: null },
  ] as PhotoForReview[]
  mockEndpoint('GET /api/admin/photos', () => ({ photos, nextCursor: null }))
  const claims = mockEndpoint('PUT /api/admin/claims/:kind/:id', () => ({
    by: { id: jun.id, name: 'Jun' },
    until: inAnHour(),
  }))
  const givenBack = mockEndpoint('DELETE /api/admin/claims/:kind/:id', () => ({ ok: true }))
  let givenBackBefore = Number.NaN
  mockEndpoint('PATCH /api/admin/photos/:fileName', async () => {
    // Wait longer than the delay after which a hovered photo is claimed.
    await new Promise((resolve) => setTimeout(resolve, 600))
    givenBackBefore = givenBack.length
    photos = []
    return { ok: true }
  })
  const { user } = await draw()
  if (claimed.length > 0) await user.click(await screen.findByRole('button', { name: /^View / }))
  await waitFor(() => expect(claims).toHaveLength(claimed.length))
  await user.click(await screen.findByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull())
  expect(claims.map(({ url }) => url.pathname)).toEqual(claimed)
  expect(givenBackBefore).toBe(0)
})

test.each([
  ['fails', 'That didn’t work. Reloading the list.'],
  ['works', 'The photo waits for a review again.'],
])('An undo that %s shows a toast, even though the photo has left the list', async (how, shown) => {
  const photo = { url: '/p.webp', alt: '', width: 3, height: 4, blurhash: '', srcSet: '', fileName: 'a.webp' }
  const waiting = { photo, state: 'pending', owner: { id: 'ana', name: 'Ana' }, uploadedAt, claim: null } as const
  let photos = [waiting]
  mockEndpoint('GET /api/admin/photos', () => ({ photos, nextCursor: null }))
  mockEndpoint('PUT /api/admin/claims/:kind/:id', () => ({ by: { id: jun.id, name: 'Jun' }, until: inAnHour() }))
  mockEndpoint('DELETE /api/admin/claims/:kind/:id', () => ({ ok: true }))
  mockEndpoint('PATCH /api/admin/photos/:fileName', ({ body }) => {
    photos = []
    return how === 'fails' && (body as { state: string }).state === 'pending' ? problem(409, 'conflict') : { ok: true }
  })
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull())
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText(shown)).toBeTruthy()
})

test('A moderator can reject a photo with one of five reasons and undo it', async () => {
  const photo = { url: '/p.webp', alt: '', width: 3, height: 4, blurhash: '', srcSet: '', fileName: 'a.webp' }
  const owner = { id: 'ana', name: 'Ana' }
  mockEndpoint('GET /api/admin/photos', () => ({
    photos: [{ photo, state: 'pending', owner, uploadedAt, claim: null }],
    nextCursor: null,
  }))
  mockEndpoint('PUT /api/admin/claims/:kind/:id', () => ({ by: { id: jun.id, name: 'Jun' }, until: inAnHour() }))
  mockEndpoint('DELETE /api/admin/claims/:kind/:id', () => ({ ok: true }))
  const reviews = mockEndpoint('PATCH /api/admin/photos/:fileName', () => ({ ok: true }))
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Reject' }))
  const reasons = await screen.findAllByRole('menuitem')
  expect(reasons.map(({ textContent }) => textContent)).toEqual([
    ...['Doesn’t show the person', 'Nudity or sex', 'Hate or violence', 'Ad or contact details', 'Not suitable'],
  ])
  await user.click(reasons[1] as HTMLElement)
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(reviews.map(({ body }) => body)).toEqual([
      { state: 'rejected', ground: 'sexual_content' },
      { state: 'pending' },
    ]),
  )
})

test('Every part of the administration has its own address', async () => {
  const { user } = await draw()
  const parts = within(await screen.findByRole('navigation', { name: 'Administration' }))
  await parts.findByText('5')
  expect(parts.getAllByRole('list').map((list) => list.getAttribute('aria-label'))).toEqual(['Moderation', 'Operation'])
  expect(parts.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    ...['Overview', 'Photos', 'Reports5', 'Verification', 'Appeals', 'Review', 'Figures', 'Record'],
    ...['Insights', 'People', 'Models', 'Settings'],
  ])
  await user.click(parts.getByRole('link', { name: 'Models' }))
  await title('Models')
  expect(screen.getByTestId('address').textContent).toBe('/admin?view=models')
  expect(parts.getByRole('link', { name: 'Models' }).getAttribute('aria-current')).toBe('page')
  await user.click(parts.getByRole('link', { name: 'Overview' }))
  await title('Overview')
  expect(screen.getByTestId('address').textContent).toBe('/admin')
})

test('An unknown part of the address opens the overview', async () => {
  const { unmount } = await draw('/admin?view=settings')
  await title('Settings')
  unmount()
  await draw('/admin?view=secrets')
  await title('Overview')
})

test('The administration shows nothing until the second factor is verified', async () => {
  let verifiedUntil: string | null = null
  mockEndpoint('GET /api/admin/second-factor', () => ({ ...factor, enrolled: true, required: true, verifiedUntil }))
  const tries = mockEndpoint('POST /api/admin/second-factor/verify', ({ body }) => {
    if ((body as { code: string }).code !== '123456') return problem(401, 'forbidden')
    verifiedUntil = inAnHour()
    return { verifiedUntil }
  })
  const { user } = await draw()
  await title('Your second factor')
  expect(screen.queryByRole('navigation')).toBeNull()
  await user.type(screen.getByRole('textbox', { name: 'Code' }), '123 456')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await title('Photos')
  expect(tries.map(({ body }) => body)).toEqual([{ code: '123456' }])
})

test('A recovery code is normalised to its printed groups', async () => {
  mockEndpoint('GET /api/admin/second-factor', () => ({ ...factor, enrolled: true, required: true }))
  const tries = mockEndpoint('POST /api/admin/second-factor/verify', () => problem(429, 'rate_limited'))
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
  await user.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'abcd efgh2345 wxyz')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('Too many tries. Wait ten minutes.')).toBeTruthy()
  expect(tries.map(({ body }) => body)).toEqual([{ code: 'ABCD-EFGH-2345-WXYZ' }])
})

test('A refusal that asks for the second factor leads to its prompt', async () => {
  let verifiedUntil: string | null = inAnHour()
  mockEndpoint('GET /api/admin/second-factor', () => ({ ...factor, enrolled: true, required: true, verifiedUntil }))
  mockEndpoint('GET /api/admin/photos', () => {
    verifiedUntil = null
    return problem(403, 'second_factor_required')
  })
  await draw()
  await title('Your second factor')
})

test('Setting up the second factor shows a secret, checks a first code, and shows the recovery codes once', async () => {
  mockEndpoint('GET /api/admin/second-factor', () => ({ ...factor, required: true }))
  const uri = 'otpauth://totp/Duet:jun?secret=JBSWY3DPEHPK3PXP&issuer=Duet'
  mockEndpoint('POST /api/admin/second-factor', () => ({ secret: 'JBSWY3DPEHPK3PXP', uri }))
  mockEndpoint('POST /api/admin/second-factor/confirm', () => ({
    recoveryCodes: ['AAAA-BBBB-CCCC-DDDD'],
    verifiedUntil: inAnHour(),
  }))
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Start' }))
  expect(await screen.findByRole('img', { name: 'QR code for your authenticator' })).toBeTruthy()
  expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy()
  await user.type(screen.getByRole('textbox', { name: 'The code it shows now' }), '654321')
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('AAAA-BBBB-CCCC-DDDD')).toBeTruthy()
  const done = screen.getByRole('button', { name: 'Done' })
  expect(done.hasAttribute('disabled')).toBe(true)
  await user.click(screen.getByRole('checkbox'))
  await user.click(done)
  await title('Photos')
})
