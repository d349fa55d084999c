import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'

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
