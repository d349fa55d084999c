import { cleanup, configure, waitFor } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { standstill } from './eventually.ts'

// Machines may be many times slower than this one, so only a hang should reach the timeout.
configure({ asyncUtilTimeout: standstill })

// Test files share the browser and the installed packages, which load slowly. Everything else starts fresh for each
// file: an empty page and the app's modules.
vi.resetModules()
vi.useRealTimers()
vi.unstubAllGlobals()
if ('document' in globalThis) emptyPage()

function emptyPage(): void {
  for (const added of Object.getOwnPropertyNames(navigator)) Reflect.deleteProperty(navigator, added)
  for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name)
  document.head.replaceChildren()
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
}

// A console.error from React or a component is a failure, even if the test would pass.
const complaints: unknown[][] = []

beforeEach(() => {
  complaints.length = 0
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void complaints.push(args))
})

afterEach(() => {
  cleanup()
  const seen = [...complaints]
  vi.restoreAllMocks()
  expect(seen, 'nothing is written to console.error').toEqual([])
})

// The toaster renders outside the test's container, so the next test would find the toast of this one.
afterEach(async () => {
  if (!('document' in globalThis)) return
  await vi.dynamicImportSettled()
  if (!document.querySelector('[data-sonner-toast]')) return
  // Imported here to get the same module as the test: this file was loaded before modules were reset.
  const { toast } = await import('sonner')
  toast.dismiss()
  await waitFor(() => expect(document.querySelector('[data-sonner-toast]')).toBeNull())
})

// The first toast loads the toaster, which may still be loading or rendering when the last test ends.
afterAll(async () => {
  await vi.dynamicImportSettled()
  await new Promise((resolve) => setTimeout(resolve, 20))
})
