import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { keepInstallPrompt, useInstallPrompt } from './install-prompt.ts'
import { InstallRow } from './install-row.tsx'

beforeEach(() => useInstallPrompt.setState({ question: null }))
afterEach(() => vi.unstubAllGlobals())

const draw = () => renderPage(<InstallRow />, { texts: ['own-settings'] })

test('the browser asks only when someone presses, and once', async () => {
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

test('where the browser does not ask it says where to press', async () => {
  await draw()
  expect(screen.getByText(/its menu says/)).toBeTruthy()
})

test('on an iPhone it says the steps', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')
  await draw()
  expect(screen.getByText(/Add to Home Screen/)).toBeTruthy()
})

test('in the installed app there is nothing to install', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('standalone') }) as MediaQueryList,
  )
  await draw()
  expect(screen.queryByText('Install Duet')).toBeNull()
})
