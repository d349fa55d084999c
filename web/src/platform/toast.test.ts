import { screen } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startI18n } from './i18n.ts'
import { toast } from './toast.ts'

beforeAll(async () => {
  if (!i18next.isInitialized) await startI18n('en')
  await import('./toaster/toaster.tsx')
})
beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const drawn = async () => {
  await vi.dynamicImportSettled()
  await pass(50)
}

test('a toast shows at the top right and disappears after 3000 ms', async () => {
  toast.success('Saved.')
  await drawn()
  const text = screen.getByText('Saved.')
  expect(text.closest('[data-sonner-toaster]')?.getAttribute('data-x-position')).toBe('right')
  expect(text.closest('[data-sonner-toaster]')?.getAttribute('data-y-position')).toBe('top')
  await pass(2_900)
  expect(screen.getByText('Saved.').closest('[data-removed]')?.getAttribute('data-removed')).toBe('false')
  await pass(500)
  expect(screen.queryByText('Saved.')).toBeNull()
})

test('a toast can offer to undo what it reports', async () => {
  const onUndo = vi.fn()
  toast.info('Cleared.', { undo: { label: 'Undo', onUndo } })
  await drawn()
  screen.getByRole('button', { name: 'Undo' }).click()
  expect(onUndo).toHaveBeenCalledOnce()
})
