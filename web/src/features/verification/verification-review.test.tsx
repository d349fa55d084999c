import type { VerificationForReview } from '@duet/contract/verification.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { VerificationReview } from './verification-review.tsx'

const pixel = 'data:image/webp;base64,UklGRg=='
const photo = (fileName: string) => ({ fileName, url: `/${fileName}?x`, alt: '', width: 3, height: 4, blurhash: '' })
const waits = (name: string): VerificationForReview => ({
  id: `v_${name}`,
  pose: 'thumb_up',
  submittedAt: new Date().toISOString(),
  user: { id: `u_${name}`, name },
  photos: [photo(`${name}1`), photo(`${name}2`)],
  claim: null,
})

beforeEach(() => signInAs({ ...jun, isSuperAdmin: true }))
afterEach(resetEndpoints)

async function draw(...names: string[]) {
  mockEndpoint('GET /api/admin/verifications', () => ({ verifications: names.map(waits), nextCursor: null }))
  const looks = mockEndpoint('GET /api/admin/verifications/:id/selfie', () => ({ selfie: pixel }))
  const page = await renderPage(<VerificationReview />, { path: '/admin?view=verification', texts: ['verification'] })
  return { ...page, looks }
}
const item = (name: string) => screen.findByRole('listitem', { name })
const decisions = () => mockEndpoint('PATCH /api/admin/verifications/:id', () => ({ ok: true as const }))

test('A selfie is fetched only when its reviewer looks', async () => {
  const { user, looks } = await draw('Ana')
  const ana = within(await item('Ana'))
  const photos = ana.getByRole('list', { name: 'Ana’s photos' })
  expect(photos.innerHTML).toContain('blur-xl')
  expect(ana.queryByRole('img', { name: 'Ana’s selfie' })).toBeNull()
  expect(ana.getByRole<HTMLButtonElement>('button', { name: 'Approve' }).disabled).toBe(true)
  expect(looks).toHaveLength(0)
  const look = ana.getByRole('button', { name: 'View Ana’s selfie' })
  await user.click(look)
  expect((await ana.findByRole('img', { name: 'Ana’s selfie' })).getAttribute('src')).toBe(pixel)
  expect(photos.innerHTML).not.toContain('blur-xl')
  expect(look.getAttribute('aria-pressed')).toBe('true')
  await user.click(look)
  expect(ana.queryByRole('img', { name: 'Ana’s selfie' })).toBeNull()
  await user.click(look)
  await waitFor(() => expect(looks).toHaveLength(2))
})

test('The review names the requested pose', async () => {
  await draw('Ana')
  expect(within(await item('Ana')).getByText('Hold a thumb up beside your face')).toBeTruthy()
})

test('An approved verification leaves the list', async () => {
  const { user } = await draw('Ana', 'Ben')
  const ana = within(await item('Ana'))
  const sent = decisions()
  await user.click(ana.getByRole('button', { name: 'View Ana’s selfie' }))
  await user.click(ana.getByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'Ana' })).toBeNull())
  expect(sent.map(({ url, body }) => [url.pathname, body])).toEqual([
    ['/api/admin/verifications/v_Ana', { decision: 'approved' }],
  ])
  expect(await screen.findByText('Ana is verified.')).toBeTruthy()
})

test('A verification can be reviewed by keyboard alone', async () => {
  const { user } = await draw('Ana', 'Ben', 'Cleo')
  await item('Ana')
  const sent = decisions()
  await user.keyboard('j')
  expect(document.activeElement).toBe(await item('Ana'))
  await user.keyboard('jlr')
  const ben = within(await item('Ben'))
  expect(ben.getByRole('group', { name: 'Why are you rejecting it?' })).toBeTruthy()
  await user.keyboard('2')
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ decision: 'rejected', reason: 'wrong_pose' }]))
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'Ben' })).toBeNull())
  expect(document.activeElement).toBe(await item('Cleo'))
  await user.keyboard('ka')
  expect(document.activeElement).toBe(await item('Ana'))
  expect(sent).toHaveLength(1)
})

test('The list is refetched when another reviewer was faster', async () => {
  const { user } = await draw('Ana')
  const ana = within(await item('Ana'))
  mockEndpoint('PATCH /api/admin/verifications/:id', () => problem(409, 'conflict'))
  await user.click(ana.getByRole('button', { name: 'View Ana’s selfie' }))
  mockEndpoint('GET /api/admin/verifications', () => ({ verifications: [], nextCursor: null }))
  await user.click(ana.getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText(/Someone else has already decided this/)).toBeTruthy()
  expect(await screen.findByText('No selfies to review. You’re done for now.')).toBeTruthy()
})

test('A verification that another reviewer has claimed shows who is reviewing it', async () => {
  const claim = { by: { id: 'u_ada', name: 'Ada' }, until: new Date(Date.now() + 600_000).toISOString() }
  const { user } = await draw('Ben')
  mockEndpoint('GET /api/admin/verifications', () => ({
    verifications: [{ ...waits('Ana'), claim }],
    nextCursor: null,
  }))
  mockEndpoint('GET /api/admin/verifications/:id/selfie', () => problem(409, 'conflict'))
  cleanup()
  await renderPage(<VerificationReview />, { path: '/admin?view=verification', texts: ['verification'] })
  const ana = within(await item('Ana'))
  expect(ana.getByText('Ada is reviewing this one.')).toBeTruthy()
  await user.click(ana.getByRole('button', { name: 'View Ana’s selfie' }))
  expect(await ana.findByText(/Someone else is reviewing this one/)).toBeTruthy()
})

test('A selfie that no longer exists is reported', async () => {
  const { user } = await draw('Ana')
  mockEndpoint('GET /api/admin/verifications/:id/selfie', () => problem(404, 'not_found'))
  await user.click(within(await item('Ana')).getByRole('button', { name: 'View Ana’s selfie' }))
  expect(await screen.findByText(/may have been decided or withdrawn/)).toBeTruthy()
})
