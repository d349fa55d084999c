import { cleanup, configure, waitFor } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { standstill } from './eventually.ts'

// Machines may be many times slower than this one: only a standstill reaches it.
configure({ asyncUtilTimeout: standstill })

// Files share the browser and what is installed, which take long to load, and nothing else: each starts on an empty page
// with an app of its own.
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

// What React or a component complains about is a fault, even where the test itself would pass.
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

// The toaster lives outside of what a test draws: the next test would find the words, and the button, of this one.
afterEach(async () => {
  if (!('document' in globalThis)) return
  await vi.dynamicImportSettled()
  if (!document.querySelector('[data-sonner-toast]')) return
  // Imported here, as the files' own modules are: this one was loaded before they were reset.
  const { toast } = await import('sonner')
  toast.dismiss()
  await waitFor(() => expect(document.querySelector('[data-sonner-toast]')).toBeNull())
})

// The toaster comes with the first toast and may still be on its way, or drawing, when the last test is over.
afterAll(async () => {
  await vi.dynamicImportSettled()
  await new Promise((resolve) => setTimeout(resolve, 20))
})
