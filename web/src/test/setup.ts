import { cleanup, configure, waitFor } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { standstill } from './eventually.ts'

// CI machines may be much slower than a laptop. The timeout is so long that only a hang reaches it.
configure({ asyncUtilTimeout: standstill })

// Test files share the browser environment and the installed packages, which load slowly. Each file starts with an
// empty page and fresh copies of the app's modules.
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

// A console.error from React or a component makes the test fail, even if its assertions pass.
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

// The toaster renders outside the test's container, so the next test would find this test's toast.
afterEach(async () => {
  if (!('document' in globalThis)) return
  await vi.dynamicImportSettled()
  if (!document.querySelector('[data-sonner-toast]')) return
  // Imported here to get the same module instance as the test, because this file was loaded before modules were reset.
  const { toast } = await import('sonner')
  toast.dismiss()
  await waitFor(() => expect(document.querySelector('[data-sonner-toast]')).toBeNull())
})

// The first toast loads the toaster, which may still be loading or rendering when the last test ends.
afterAll(async () => {
  await vi.dynamicImportSettled()
  await new Promise((resolve) => setTimeout(resolve, 20))
})
