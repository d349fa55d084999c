import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { problemCode, toProblemError } from '../../platform/problem.ts'
import { useSession } from '../../platform/session.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { NotProved, StepUpHost, withStepUp } from './step-up.tsx'

beforeEach(() => signInAs(jun))
afterEach(resetEndpoints)

const stale = () => toProblemError(403, { code: 'reauthentication_required', title: '', detail: '' }, null)

function act() {
  let proved = false
  const done: string[] = []
  const proofs = mockEndpoint('POST /api/user/reauthenticate', ({ body }) => {
    const { otp, password } = body as { otp?: string; password?: string }
    if (otp !== '12345678' && password !== 'right') return problem(401, 'invalid_credentials')
    proved = true
    return { freshUntil: new Date().toISOString() }
  })
  const run = async () => {
    if (!proved) throw stale()
    done.push('done')
    return 'done'
  }
  return { run, done, proofs }
}

const draw = () => renderPage(<StepUpHost />, { texts: ['step-up', 'entry', 'ui'] })

test('An action that needs no proof runs immediately', async () => {
  await draw()
  expect(await withStepUp(async () => 7)).toBe(7)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('A code proves the identity, and the action runs again', async () => {
  const codes = mockEndpoint('POST /api/user/requestOtp', () => ({ expiresIn: 600, resendIn: 30 }))
  const { run, done, proofs } = act()
  const { user } = await draw()
  const result = withStepUp(run)
  await user.click(await screen.findByRole('button', { name: 'Send code' }))
  expect(codes[0]?.body).toEqual({ email: jun.email })
  await user.type(screen.getByRole('textbox', { name: 'Code' }), '1234 5670')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText(/That code isn’t right/)).toBeTruthy()
  await user.clear(screen.getByRole('textbox', { name: 'Code' }))
  await user.type(screen.getByRole('textbox', { name: 'Code' }), '12345678')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await result).toBe('done')
  expect([done.length, proofs.length]).toEqual([1, 2])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('A code sent to an old address isn’t reported as sent to the new one', async () => {
  mockEndpoint('POST /api/user/requestOtp', () => ({ expiresIn: 600, resendIn: 30 }))
  const { run } = act()
  const { user } = await draw()
  const first = withStepUp(run).catch(() => undefined)
  await user.click(await screen.findByRole('button', { name: 'Send code' }))
  await screen.findByText(/jun@example.org/)
  await user.click(screen.getByRole('button', { name: 'Not now' }))
  await first
  useSession.getState().amend(jun.id, { email: 'new@example.org' })
  const second = withStepUp(run).catch(() => undefined)
  expect(await screen.findByRole('button', { name: 'Send code' })).toHaveProperty('disabled', false)
  await user.click(screen.getByRole('button', { name: 'Not now' }))
  await second
})

test('The password proves the identity as well', async () => {
  const { run, proofs } = act()
  const { user } = await draw()
  const result = withStepUp(run)
  await user.click(await screen.findByRole('button', { name: 'Use your password instead' }))
  await user.type(screen.getByLabelText('Password'), 'right{Enter}')
  expect(await result).toBe('done')
  expect(proofs[0]?.body).toEqual({ password: 'right' })
})

test('Closing the dialog rejects with NotProved, and the action doesn’t run', async () => {
  const { run, done } = act()
  const { user } = await draw()
  const result = withStepUp(run).catch((error: unknown) => error)
  await user.click(await screen.findByRole('button', { name: 'Not now' }))
  expect(await result).toBeInstanceOf(NotProved)
  expect(done).toEqual([])
})

test('The dialog of one person closes when another signs in, and the action never runs', async () => {
  const { run, done } = act()
  await draw()
  const result = withStepUp(run).catch((error: unknown) => error)
  await screen.findByRole('dialog')
  signInAs({ ...jun, id: 'u_maya', token: 'hers' })
  expect(await result).toBeInstanceOf(NotProved)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(done).toEqual([])
})

test('A refusal that arrives after another person has signed in doesn’t ask them for proof', async () => {
  const { run, done } = act()
  await draw()
  const result = withStepUp(async () => {
    signInAs({ ...jun, id: 'u_maya', token: 'hers' })
    return run()
  }).catch((error: unknown) => error)
  expect(await result).toBeInstanceOf(NotProved)
  expect([screen.queryByRole('dialog'), done]).toEqual([null, []])
})

test('Any other error is passed on unchanged', async () => {
  await draw()
  const refusal = await withStepUp(() => Promise.reject(toProblemError(429, { code: 'rate_limited' }, '5'))).catch(
    problemCode,
  )
  expect(refusal).toBe('rate_limited')
})
