import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { toast } from './toast.ts'

test('a toast stands top right and is gone after 3000 ms', async () => {
  toast.success('Saved.')
  const text = await screen.findByText('Saved.')
  expect(text.closest('[data-sonner-toaster]')?.getAttribute('data-x-position')).toBe('right')
  expect(text.closest('[data-sonner-toaster]')?.getAttribute('data-y-position')).toBe('top')
  const since = Date.now()
  await waitFor(() => expect(screen.queryByText('Saved.')).toBeNull(), { timeout: 5000 })
  expect(Date.now() - since).toBeGreaterThan(2700)
  expect(Date.now() - since).toBeLessThan(4000)
})

test('a toast offers to take back what it tells', async () => {
  const onUndo = vi.fn()
  toast.info('Cleared.', { undo: { label: 'Undo', onUndo } })
  const undo = await screen.findByRole('button', { name: 'Undo' })
  undo.click()
  expect(onUndo).toHaveBeenCalledOnce()
})
