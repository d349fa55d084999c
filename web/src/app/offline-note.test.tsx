import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { useNewVersion, useUnsent } from '../platform/service-worker.ts'
import { renderPage } from '../test/render.tsx'
import { OfflineNote } from './offline-note.tsx'

beforeEach(() => useNewVersion.setState({ take: null, unsent: 0 }))

const Holding = ({ isUnsent }: { isUnsent: boolean }) => {
  useUnsent(isUnsent)
  return <OfflineNote />
}
const draw = () => renderPage(<Holding isUnsent={false} />, { texts: ['common'] })

test('a new version is offered in a line, and taken with a press', async () => {
  const take = vi.fn()
  await draw()
  expect(screen.queryByText(/new version/)).toBeNull()
  act(() => useNewVersion.setState({ take }))
  expect(screen.getByText('A new version is ready.').getAttribute('role')).toBe('status')
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }))
  expect(take).toHaveBeenCalledTimes(1)
})

test('nothing is offered while the page holds what a reload would lose', async () => {
  useNewVersion.setState({ take: () => undefined })
  const { unmount } = await renderPage(<Holding isUnsent />, { texts: ['common'] })
  expect(screen.queryByText(/new version/)).toBeNull()
  unmount()
  await draw()
  expect(screen.getByText(/new version/)).toBeTruthy()
})
