import { fireEvent, screen, waitFor } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import { expect, test } from 'vitest'
import { Route, Switch } from 'wouter'
import { renderPage } from '../../test/render.tsx'
import { Link, navigate, useAddress } from './address.tsx'

function Told() {
  const { search, state, depth } = useAddress()
  return <p data-testid="told">{JSON.stringify([search.get('q'), state ?? null, depth])}</p>
}
const told = () => JSON.parse(screen.getByTestId('told').textContent ?? '')
const address = () => screen.getByTestId('address').textContent

test('a link opens its address, and the back button returns', async () => {
  const { user } = await renderPage(
    <>
      <Link to="/likes?q=50%25%2B">go</Link>
      <Told />
    </>,
  )
  expect(told()).toEqual([null, null, 0])
  await user.click(screen.getByRole('link'))
  await waitFor(() => expect(told()).toEqual(['50%+', null, 1]))
  window.history.back()
  await waitFor(() => expect(address()).toBe('/home'))
  expect(told()).toEqual([null, null, 0])
})

test('a link to the current address adds no history entry', async () => {
  const { user } = await renderPage(
    <>
      <Link to="/home">go</Link>
      <Told />
    </>,
  )
  const length = window.history.length
  await user.click(screen.getByRole('link'))
  expect(told()[2]).toBe(0)
  expect(window.history.length).toBe(length)
})

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
  'a click with %o is left to the browser',
  async (click) => {
    await renderPage(<Link to="/likes">go</Link>)
    const link = screen.getByRole('link')
    // Keeps the click from navigating the test's own window.
    window.addEventListener('click', (event) => event.preventDefault(), { once: true })
    let kept = true
    link.parentElement?.addEventListener('click', (event) => (kept = event.defaultPrevented), { once: true })
    fireEvent.click(link, click)
    expect(kept).toBe(false)
    expect(address()).toBe('/home')
  },
)

test('navigation state lasts until the next navigation', async () => {
  await renderPage(<Told />)
  navigate('/questions?q=1', { state: 'changing' })
  await waitFor(() => expect(told()).toEqual(['1', 'changing', 1]))
  navigate('/questions?q=2', { replace: true })
  await waitFor(() => expect(told()).toEqual(['2', null, 1]))
})

test('a screen stays until the next one can render', async () => {
  let arrive: (module: { default: () => string }) => void = () => undefined
  const Late = lazy(() => new Promise<{ default: () => string }>((resolve) => (arrive = resolve)))
  await renderPage(
    <Suspense fallback="nothing">
      <Switch>
        <Route path="/home">first screen</Route>
        <Route path="/late">
          <Late />
        </Route>
      </Switch>
    </Suspense>,
  )
  navigate('/late')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.queryByText('nothing')).toBeNull()
  expect(screen.getByText('first screen')).toBeTruthy()
  arrive({ default: () => 'late screen' })
  await screen.findByText('late screen')
})
