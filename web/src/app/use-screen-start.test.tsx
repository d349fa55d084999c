import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Link, useAddress } from '../platform/address/address.tsx'
import { renderPage } from '../test/render.tsx'
import { useScreenStart } from './use-screen-start.ts'

function Around() {
  const { pathname } = useAddress()
  useScreenStart(pathname)
  return (
    <>
      <Link to="/settings">Settings</Link>
      <main id="content" tabIndex={-1}>
        {pathname === '/home' && <Link to="/profile/ines">Ines</Link>}
      </main>
    </>
  )
}

test('focus moves to the new screen if the clicked link disappears with the old one; a link that stays keeps focus', async () => {
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue(undefined)
  const { user } = await renderPage(<Around />)
  expect(document.activeElement).toBe(document.body)
  await user.click(screen.getByRole('link', { name: 'Ines' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
  expect(scrolled).toHaveBeenCalledTimes(2)
  await user.click(screen.getByRole('link', { name: 'Settings' }))
  await new Promise((resolve) => setTimeout(resolve, 80))
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Settings' }))
})
