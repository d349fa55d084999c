import { useMutation } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useNewVersion, useUnsent } from '../platform/service-worker.ts'
import { renderPage } from '../test/render.tsx'
import { OfflineNote } from './offline-note.tsx'

beforeEach(() => useNewVersion.setState({ take: null, unsent: 0 }))
afterEach(() => vi.useRealTimers())

const Holding = ({ isUnsent }: { isUnsent: boolean }) => {
  useUnsent(isUnsent)
  return <OfflineNote />
}
const draw = () => renderPage(<Holding isUnsent={false} />, { texts: ['common'] })

test('a status line offers a new version, and its button loads it', async () => {
  const take = vi.fn()
  await draw()
  expect(screen.queryByText(/new version/)).toBeNull()
  act(() => useNewVersion.setState({ take }))
  expect(screen.getByText('A new version is ready.').getAttribute('role')).toBe('status')
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }))
  expect(take).toHaveBeenCalledTimes(1)
})

test('a new version isn’t offered while the page has unsent input', async () => {
  useNewVersion.setState({ take: () => undefined })
  const { unmount } = await renderPage(<Holding isUnsent />, { texts: ['common'] })
  expect(screen.queryByText(/new version/)).toBeNull()
  unmount()
  await draw()
  expect(screen.getByText(/new version/)).toBeTruthy()
})

const Saving = ({ save }: { save: () => Promise<void> }) => {
  const { mutate } = useMutation({ scope: { id: 'one at a time' }, mutationFn: save })
  return (
    <>
      <OfflineNote />
      <button type="button" onClick={() => mutate()}>
        Save
      </button>
    </>
  )
}

test('a new version is loaded only after every pending change has been saved', async () => {
  const take = vi.fn()
  useNewVersion.setState({ take })
  const answers: (() => void)[] = []
  const save = () => new Promise<void>((resolve) => answers.push(resolve))
  const { user } = await renderPage(<Saving save={save} />, { texts: ['common'] })
  for (const name of ['Save', 'Save', 'Reload']) await user.click(screen.getByRole('button', { name }))
  await act(async () => answers[0]?.())
  await waitFor(() => expect(answers).toHaveLength(2))
  expect(take).not.toHaveBeenCalled()
  await act(async () => answers[1]?.())
  await waitFor(() => expect(take).toHaveBeenCalledTimes(1))
})

test('a new version is loaded after 15 seconds even if a change is still pending', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const take = vi.fn()
  useNewVersion.setState({ take })
  const { user } = await renderPage(<Saving save={() => new Promise(() => undefined)} />, { texts: ['common'] })
  for (const name of ['Save', 'Reload']) await user.click(screen.getByRole('button', { name }))
  expect(take).not.toHaveBeenCalled()
  await act(() => vi.advanceTimersByTimeAsync(15_000))
  expect(take).toHaveBeenCalledTimes(1)
})
