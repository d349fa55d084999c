import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { keepInstallPrompt, useInstallPrompt } from './install-prompt.ts'
import { InstallRow } from './install-row.tsx'

beforeEach(() => useInstallPrompt.setState({ question: null }))
afterEach(() => vi.unstubAllGlobals())

const draw = () => renderPage(<InstallRow />, { texts: ['own-settings'] })

test('the browser’s install prompt shows only after a click on Install, and only once', async () => {
  keepInstallPrompt()
  const prompt = vi.fn(async () => ({ outcome: 'dismissed' }))
  const question = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
  window.dispatchEvent(question)
  expect(question.defaultPrevented).toBe(true)
  await draw()
  expect(prompt).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Install' }))
  expect(prompt).toHaveBeenCalledTimes(1)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Install' })).toBeNull())
})

test('a browser without an install prompt gets a hint to its menu', async () => {
  await draw()
  expect(screen.getByText(/its menu says/)).toBeTruthy()
})

test('an iPhone gets the steps to add Duet to the home screen', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')
  await draw()
  expect(screen.getByText(/Add to Home Screen/)).toBeTruthy()
})

test('the installed app shows no install row', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('standalone') }) as MediaQueryList,
  )
  await draw()
  expect(screen.queryByText('Install Duet')).toBeNull()
})
