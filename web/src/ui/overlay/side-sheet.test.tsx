import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { SideSheet } from './side-sheet.tsx'

function Page() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Decide
      </button>
      {open && (
        <SideSheet title="A decision" onClose={() => setOpen(false)}>
          <input aria-label="Why" />
        </SideSheet>
      )}
    </>
  )
}

test('opening a sheet moves the focus into it, and closing the sheet moves the focus back', async () => {
  const { user } = await renderPage(<Page />, { texts: ['ui'] })
  await user.click(screen.getByRole('button', { name: 'Decide' }))
  const sheet = await screen.findByRole('dialog', { name: 'A decision' })
  await waitFor(() => expect(document.activeElement).toBe(sheet))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Decide' })))
})
