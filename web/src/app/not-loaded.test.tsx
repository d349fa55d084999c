import { screen, waitFor } from '@testing-library/react'
import i18next from 'i18next'
import { type ReactNode, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { preloadTexts } from '../platform/i18n.ts'
import { toProblemError } from '../platform/problem.ts'
import { renderPage } from '../test/render.tsx'
import { Extra } from '../ui/boundary.tsx'
import { lazily } from '../ui/lazily.tsx'
import { CrashBoundary } from './crash-screen.tsx'

/** Unloads texts that another test file may have loaded, so that the next use loads them again. */
function loseTexts(namespace: string): void {
  i18next.removeResourceBundle('en', namespace)
  delete i18next.services.backendConnector.state[`en|${namespace}`]
}

const quietly = () => vi.spyOn(console, 'error').mockImplementation(() => undefined)

/** Returns a lazy component whose code fails to load while `line.isDown`. */
function later(words: string) {
  const line = { isDown: true, asked: 0 }
  const Part = lazily(async () => {
    line.asked += 1
    if (line.isDown) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: () => <p>{words}</p> }
  })
  return { line, Part }
}

function Host({ part }: { part: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open && <Extra onFail={() => setOpen(false)}>{part}</Extra>}
    </>
  )
}

function Places({ there }: { there: ReactNode }) {
  const [at, setAt] = useState('/there')
  return (
    <>
      <button type="button" onClick={() => setAt(at === '/there' ? '/here' : '/there')}>
        Go
      </button>
      <CrashBoundary at={at}>{at === '/there' ? there : <p>Here</p>}</CrashBoundary>
    </>
  )
}

test('a dialog whose code fails to load shows a toast, leaves the screen intact and opens next time', async () => {
  quietly()
  const { line, Part } = later('The dialog')
  const { user } = await renderPage(<Host part={<Part />} />)
  await user.click(screen.getByText('Open'))
  expect(await screen.findByText('This couldn’t be opened. Check your connection, then reload.')).toBeTruthy()
  expect(line.asked).toBe(1)
  line.isDown = false
  await user.click(screen.getByText('Open'))
  expect(await screen.findByText('The dialog')).toBeTruthy()
})

test('a part of a page whose code fails to load shows an error in its place, and can be retried', async () => {
  quietly()
  const { line, Part } = later('The part')
  const { user } = await renderPage(
    <>
      <p>The rest</p>
      <Extra>
        <Part />
      </Extra>
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect([line.asked, screen.getByText('The rest')]).toEqual([2, expect.anything()])
  line.isDown = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('The part')).toBeTruthy()
})

test('a screen whose code fails to load shows an error, and is requested again at the next visit', async () => {
  quietly()
  const { line, Part } = later('The screen')
  const { user } = await renderPage(<Places there={<Part />} />)
  expect(await screen.findByText('This couldn’t be loaded. Check your connection and try again.')).toBeTruthy()
  expect(line.asked).toBe(1)
  line.isDown = false
  await user.click(screen.getByText('Go'))
  expect(screen.getByText('Here')).toBeTruthy()
  await user.click(screen.getByText('Go'))
  expect(await screen.findByText('The screen')).toBeTruthy()
})

test('a screen whose texts fail to load shows an error, not their keys, and loads them at the next visit', async () => {
  quietly()
  await renderPage(<p>First</p>)
  loseTexts('dates')
  const backend = i18next.services.backendConnector.backend as { read: (...of: unknown[]) => void }
  const line = vi.spyOn(backend, 'read').mockImplementation((_language, _namespace, done) => {
    ;(done as (error: Error) => void)(new Error('No network'))
  })
  const Screen = lazily(async () => {
    await preloadTexts('dates')
    return { default: () => <p>{i18next.t('dates:copy')}</p> }
  })
  const { unmount } = await renderPage(
    <CrashBoundary>
      <Screen />
    </CrashBoundary>,
  )
  expect(await screen.findByText('This couldn’t be loaded. Check your connection and try again.')).toBeTruthy()
  unmount()
  line.mockRestore()
  await renderPage(
    <CrashBoundary>
      <Screen />
    </CrashBoundary>,
  )
  await waitFor(() => expect(screen.getByText('Copy link')).toBeTruthy())
})

test('texts that failed to preload are requested again when their screen opens', async () => {
  await renderPage(<p>First</p>)
  loseTexts('questions')
  const backend = i18next.services.backendConnector.backend as { read: (...of: unknown[]) => void }
  const line = vi.spyOn(backend, 'read').mockImplementation((_language, _namespace, done) => {
    ;(done as (error: Error) => void)(new Error('No network'))
  })
  await expect(preloadTexts('questions')).rejects.toThrow()
  line.mockRestore()
  await preloadTexts('questions')
  expect(i18next.hasResourceBundle('en', 'questions')).toBe(true)
})

test('a 511 response from a network that requires its own sign-in counts as offline', () => {
  expect(toProblemError(511, undefined, null).code).toBe('offline')
})
