import { render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import SpotMenu from '../../features/conversations/spot-menu.tsx'
import MatchPanel from '../../features/matches/match-panel.tsx'
import { AddressBar, Link, navigate, useAddress } from '../../platform/address/address.tsx'
import { leaveTo } from '../../platform/address/leave-to.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { renderPage } from '../../test/render.tsx'
import LightboxView from '../lightbox/lightbox-view.tsx'
import { Dialog } from './dialog.tsx'
import { Menu } from './menu.tsx'
import MenuList from './menu-list.tsx'
import PopoverPanel from './popover-panel.tsx'
import { SideSheet } from './side-sheet.tsx'
import { useBackCloses } from './use-back-closes.ts'

afterEach(resetEndpoints)

interface BoxProps {
  name: string
  stubborn?: boolean
  guarded?: boolean
  children?: React.ReactNode
}

function Box({ name, stubborn = false, guarded = false, children }: BoxProps) {
  const [open, setOpen] = useState(false)
  useBackCloses(open, () => (guarded ? false : setOpen(stubborn)))
  return (
    <>
      <button type="button" onClick={() => setOpen(!open)}>
        {open ? `close ${name}` : `open ${name}`}
      </button>
      {open && <section aria-label={name}>{children}</section>}
    </>
  )
}

function Depth() {
  return <output data-testid="depth">{useAddress().depth}</output>
}
const boxes = () => screen.queryAllByRole('region').map((box) => box.getAttribute('aria-label'))
const address = () => screen.getByTestId('address').textContent
const isMarked = () => window.history.state?.overlays ?? 0
const press = (name: string) => screen.getByRole('button', { name })
const marked = (entries: number) => waitFor(() => expect(isMarked()).toBe(entries))

/** Renders a page that has another page before it in the history, so that the test notices going back too far. */
async function draw(page: React.ReactNode) {
  const drawn = await renderPage(
    <>
      {page}
      <Depth />
    </>,
    { path: '/home' },
  )
  navigate('/likes')
  await waitFor(() => expect(address()).toBe('/likes'))
  return drawn
}

test('going back closes the topmost overlay, then the one under it, then leaves the screen', async () => {
  const { user } = await draw(
    <Box name="sheet">
      <Box name="dialog" />
    </Box>,
  )
  await user.click(press('open sheet'))
  await user.click(press('open dialog'))
  await marked(2)
  window.history.back()
  await waitFor(() => expect(boxes()).toEqual(['sheet']))
  await marked(1)
  window.history.back()
  await waitFor(() => expect(boxes()).toEqual([]))
  expect(address()).toBe('/likes')
  window.history.back()
  await waitFor(() => expect(address()).toBe('/home'))
})

test('overlays that close in another way leave no history entries behind', async () => {
  const { user } = await draw(
    <Box name="sheet">
      <Box name="dialog" />
    </Box>,
  )
  await user.click(press('open sheet'))
  await user.click(press('open dialog'))
  await marked(2)
  await user.click(press('close sheet'))
  await marked(0)
  expect(address()).toBe('/likes')
  window.history.back()
  await waitFor(() => expect(address()).toBe('/home'))
})

test('a link in an overlay reuses its history entry, so that back returns to the screen under it', async () => {
  const { user } = await draw(
    <Box name="sheet">
      <Link to="/chat">write</Link>
    </Box>,
  )
  await user.click(press('open sheet'))
  await marked(1)
  await user.click(screen.getByRole('link'))
  await user.click(press('close sheet'))
  await waitFor(() => expect(address()).toBe('/chat'))
  expect(screen.getByTestId('depth').textContent).toBe('2')
  window.history.back()
  await waitFor(() => expect(address()).toBe('/likes'))
})

test('a navigation waits until the history entry of a closed overlay is removed', async () => {
  const { user } = await draw(<Box name="sheet" />)
  await user.click(press('open sheet'))
  await marked(1)
  await user.click(press('close sheet'))
  navigate('/chat')
  await waitFor(() => expect(address()).toBe('/chat'))
  window.history.back()
  await waitFor(() => expect(address()).toBe('/likes'))
})

test('an overlay that does not close when the person goes back keeps its history entry', async () => {
  const { user } = await draw(<Box name="statement" stubborn />)
  await user.click(press('open statement'))
  for (const _time of ['first', 'second']) {
    await marked(1)
    window.history.back()
    await waitFor(() => expect(isMarked()).toBe(1))
    expect([boxes(), address()]).toEqual([['statement'], '/likes'])
  }
  await user.click(press('close statement'))
  await marked(0)
})

test('going back again immediately closes neither a dialog that refused to close nor the sheet under it', async () => {
  const { user } = await draw(
    <Box name="sheet">
      <Box name="statement" guarded />
    </Box>,
  )
  await user.click(press('open sheet'))
  await user.click(press('open statement'))
  await marked(2)
  for (const _time of ['first', 'second', 'third']) {
    const isBack = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))
    window.history.back()
    await isBack
    expect([isMarked(), boxes(), address()]).toEqual([2, ['sheet', 'statement'], '/likes'])
  }
  await user.click(press('close sheet'))
  await marked(0)
})

const leavings: Record<string, () => void> = {
  'leaveTo called once': () => leaveTo('/chat'),
  'leaveTo called twice': () => {
    leaveTo('/chat')
    leaveTo('/chat')
  },
}

test.each(Object.keys(leavings))(
  '%s under an open dialog goes back to the screen that the person came from',
  async (way) => {
    const { user } = await draw(<Box name="confirm" />)
    navigate('/chat')
    navigate('/chat/ines')
    await waitFor(() => expect(address()).toBe('/chat/ines'))
    await user.click(press('open confirm'))
    await marked(1)
    leavings[way]?.()
    await user.click(press('close confirm'))
    await waitFor(() => expect(address()).toBe('/chat'))
    await marked(0)
    window.history.back()
    await waitFor(() => expect(address()).toBe('/likes'))
  },
)

test('leaveTo under an open dialog replaces a screen that was reached from elsewhere', async () => {
  const { user } = await draw(<Box name="confirm" />)
  navigate('/chat/ines')
  await waitFor(() => expect(address()).toBe('/chat/ines'))
  await user.click(press('open confirm'))
  await marked(1)
  leavings['leaveTo called twice']?.()
  await user.click(press('close confirm'))
  await waitFor(() => expect(address()).toBe('/chat'))
  window.history.back()
  await waitFor(() => expect(address()).toBe('/likes'))
})

test('a link in an overlay to the page under the overlay leaves no history entry behind', async () => {
  const { user } = await draw(
    <Box name="list">
      <Link to="/likes">here</Link>
    </Box>,
  )
  await user.click(press('open list'))
  await marked(1)
  await user.click(screen.getByRole('link'))
  await user.click(press('close list'))
  await marked(0)
  expect(address()).toBe('/likes')
  window.history.back()
  await waitFor(() => expect(address()).toBe('/home'))
})

test('going back on another page closes an overlay that stayed open before it leaves that page', async () => {
  const { user } = await draw(<Box name="player" />)
  await user.click(press('open player'))
  await marked(1)
  navigate('/chat')
  await waitFor(() => expect(address()).toBe('/chat'))
  await marked(1)
  window.history.back()
  await waitFor(() => expect(boxes()).toEqual([]))
  expect(address()).toBe('/chat')
})

test('a reload removes the history entries of overlays that were open', async () => {
  const { user, unmount } = await draw(<Box name="sheet" />)
  await user.click(press('open sheet'))
  await marked(1)
  const { state } = window.history
  unmount()
  await marked(0)
  window.history.pushState(state, '')
  render(<AddressBar>{null}</AddressBar>)
  await marked(0)
})

function Acts() {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Menu
        trigger={<button type="button">More</button>}
        items={[{ label: 'Block', onSelect: () => setAsking(true) }]}
      />
      <Dialog open={asking} onOpenChange={setAsking} title="Block?" />
    </>
  )
}

test('going back closes the dialog that a menu has opened', async () => {
  const { user } = await draw(<Acts />)
  await user.click(press('More'))
  await user.click(await screen.findByRole('menuitem'))
  await screen.findByRole('dialog')
  await marked(1)
  window.history.back()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(address()).toBe('/likes')
})

const match = { user: { id: 'ines', name: 'Ines', photo: null }, openers: [], mine: null, theirs: null, certain: true }
const parts = { title: 'It', label: 'It', trigger: <button type="button">It</button>, items: [], children: 'It' }
const overlays: Record<string, (onClose: () => void) => React.ReactNode> = {
  'a side sheet': (onClose) => <SideSheet {...parts} onClose={onClose} />,
  'the lightbox': (onClose) => <LightboxView {...parts} photos={[]} index={0} onClose={onClose} />,
  'the match panel': (onClose) => <MatchPanel match={match} onSend={async () => true} onClose={onClose} />,
  'a popover': (onClose) => <PopoverPanel {...parts} open onOpenChange={onClose} />,
  'a menu': () => <MenuList {...parts} />,
  'the menu of a message': (onClose) => <SpotMenu {...parts} spot={{ x: 0, y: 0 }} onClose={onClose} />,
}

function Opener({ overlay }: { overlay: string }) {
  const [open, setOpen] = useState(false)
  if (open) return overlays[overlay]?.(() => setOpen(false))
  return (
    <button type="button" onClick={() => setOpen(true)}>
      open
    </button>
  )
}

test.each(Object.keys(overlays))('going back on a phone closes %s', async (overlay) => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => undefined }))
  mockEndpoint('GET /api/user/myDetails', () => problem(503, 'unavailable'))
  const { user } = await draw(<Opener overlay={overlay} />)
  await user.click(press('open'))
  await marked(1)
  const shown = () => screen.queryByRole('dialog') ?? screen.queryByRole('menu')
  expect(shown()).toBeTruthy()
  window.history.back()
  await waitFor(() => expect(shown()).toBeNull())
  expect(address()).toBe('/likes')
})
