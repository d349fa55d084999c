import { afterEach, expect, test, vi } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../test/mock-endpoint.ts'
import { jun, signInAs } from '../test/render.tsx'
import { watchUploads } from '../test/uploads.ts'
import { call } from './call.ts'
import { ProblemError, problemCode } from './problem.ts'
import { useSession } from './session.ts'
import { upload } from './upload.ts'

afterEach(() => {
  vi.useRealTimers()
  resetEndpoints()
})

test('a call carries the bearer header when the stored user has a token', async () => {
  signInAs(jun)
  const calls = mockEndpoint('GET /api/notifications', () => ({ notifications: [] }))
  await call('GET /api/notifications')
  expect(calls[0]?.headers.get('authorization')).toBe('Bearer secret')
})

test('a call carries no bearer header without a token', async () => {
  signInAs(null)
  const calls = mockEndpoint('GET /api/places', () => ({ places: [] }))
  await call('GET /api/places', { query: { query: 'são' } })
  expect(calls[0]?.headers.has('authorization')).toBe(false)
  expect(calls[0]?.url.searchParams.get('query')).toBe('são')
})

test('a call fills parameters into the path and sends its body as JSON', async () => {
  signInAs(jun)
  const calls = mockEndpoint('PATCH /api/photos/:fileName', () => ({ images: [], photos: [] }))
  await call('PATCH /api/photos/:fileName', { params: { fileName: 'a/b.webp' }, body: { alt: 'Me' } })
  expect(calls[0]?.url.pathname).toBe('/api/photos/a%2Fb.webp')
  expect(calls[0]?.body).toEqual({ alt: 'Me' })
})

test('a refused call throws the problem that the server described', async () => {
  signInAs(jun)
  mockEndpoint('GET /api/user/nearBy', () => problem(429, 'rate_limited', { 'retry-after': '7' }))
  const error = await call('GET /api/user/nearBy', { query: {} }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ProblemError)
  expect(error).toMatchObject({ code: 'rate_limited', retryAfter: 7 })
})

test('a call that gets no response fails as offline', async () => {
  mockEndpoint('GET /api/places', () => {
    throw new TypeError('Failed to fetch')
  })
  expect(problemCode(await call('GET /api/places', { query: { query: 'a' } }).catch((thrown: unknown) => thrown))).toBe(
    'offline',
  )
})

test('a response that breaks off or isn’t from Duet fails as offline', async () => {
  const query = { query: 'a' }
  const codes = []
  for (const body of ['{"places":[{"na', '<html>Welcome to our network</html>', '']) {
    mockEndpoint('GET /api/places', () => new Response(body, { status: 200 }))
    codes.push(problemCode(await call('GET /api/places', { query }).catch((thrown: unknown) => thrown)))
  }
  expect(codes).toEqual(['offline', 'offline', 'offline'])
})

test('a call aborted while its response is being read rejects with the browser’s AbortError', async () => {
  const stop = new AbortController()
  const gone = new DOMException('It was given up.', 'AbortError')
  mockEndpoint('GET /api/places', () => {
    const answer = new Response('{}')
    answer.json = () => {
      stop.abort()
      return Promise.reject(gone)
    }
    return answer
  })
  await expect(call('GET /api/places', { query: { query: 'a' }, signal: stop.signal })).rejects.toBe(gone)
})

test('an upload with an unreadable response fails as offline', async () => {
  const uploads = watchUploads()
  const params = { userId: 'u_jun' }
  const done = upload('PATCH /api/user/:userId/image', { params, form: new FormData() }, () => undefined)
  uploads[0]?.answer(200, null)
  expect(problemCode(await done.catch((thrown: unknown) => thrown))).toBe('offline')
})

test('a token that the server no longer knows signs the person out', async () => {
  signInAs(jun)
  mockEndpoint('GET /api/user/myDetails', () => problem(401, 'unauthenticated'))
  await call('GET /api/user/myDetails').catch(() => undefined)
  expect(useSession.getState().user).toBeNull()
})

test('a wrong code or password doesn’t end the session', async () => {
  signInAs(jun)
  mockEndpoint('POST /api/user/reauthenticate', () => problem(401, 'invalid_credentials'))
  await call('POST /api/user/reauthenticate', { body: { otp: '12345678' } }).catch(() => undefined)
  expect(useSession.getState().user).toEqual(jun)
})

test('a late response for one person doesn’t affect the next person who signs in', async () => {
  signInAs(jun)
  let answer: (refusal: Response) => void = () => undefined
  mockEndpoint(
    'GET /api/user/myDetails',
    () =>
      new Promise<Response>((resolve) => {
        answer = resolve
      }),
  )
  const late = call('GET /api/user/myDetails').catch(() => undefined)
  signInAs({ ...jun, id: 'u_maya', token: 'hers' })
  answer(problem(403, 'suspended'))
  await late
  expect(useSession.getState()).toMatchObject({ user: { id: 'u_maya' }, suspended: false })
})

test('a visitor’s refused sign-in throws the server’s problem', async () => {
  signInAs(null)
  mockEndpoint('POST /api/user/authenticate', () => problem(401, 'invalid_credentials'))
  const body = { email: 'jun@example.org', password: 'wrong' }
  const error = await call('POST /api/user/authenticate', { body }).catch((thrown: unknown) => thrown)
  expect(problemCode(error)).toBe('invalid_credentials')
})

test.each([
  ['a small change outlives the page', true, () => call('PATCH /api/notifications', { body: { read: true } })],
  ['a change without a body outlives the page', true, () => call('DELETE /api/notifications')],
  ['a read ends with the page', false, () => call('GET /api/notifications')],
  [
    'a change too large for keepalive ends with the page',
    false,
    () => call('PATCH /api/user/updateUser', { body: { bio: 'ß'.repeat(5_000) } }),
  ],
])('%s', async (_, keepalive, act) => {
  const ask = vi.fn(async (_url: string, _init: RequestInit) => Response.json({}))
  vi.stubGlobal('fetch', ask)
  await act()
  expect(ask.mock.calls[0]?.[1].keepalive).toBe(keepalive)
})

test('a hanging change fails as offline after a minute, even though it may outlive the page', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const failed = vi.fn()
  call('DELETE /api/notifications').catch((error: unknown) => failed(problemCode(error)))
  await vi.advanceTimersByTimeAsync(59_999)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(failed).toHaveBeenCalledWith('offline')
})
