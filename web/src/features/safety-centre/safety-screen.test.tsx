import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Route } from 'wouter'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import SafetyScreen from './safety-screen.tsx'

afterEach(() => signInAs(null))

const visit = (path: string) =>
  renderPage(
    <Route path="/safety/:page?">
      <SafetyScreen />
    </Route>,
    { path, texts: ['safety-centre'] },
  )

test('The safety centre is public, with every topic and numbers by country', async () => {
  signInAs(null)
  const { user } = await visit('/safety')
  expect(await screen.findByRole('heading', { level: 1, name: 'Stay safe' })).toBeTruthy()
  for (const name of ['Before you meet', 'Money and scams', 'Someone is threatening to share pictures of you'])
    expect(screen.getByRole('region', { name })).toBeTruthy()
  const steps = within(screen.getByRole('region', { name: /threatening/ })).getByRole('list')
  expect(steps.tagName).toBe('OL')
  await user.selectOptions(screen.getByLabelText('Where you are'), 'Germany')
  expect(screen.getByRole('link', { name: /110\s*Police/ }).getAttribute('href')).toBe('tel:110')
  expect(screen.getByRole('link', { name: 'Sign in to share a date' }).getAttribute('href')).toBe('/login')
  expect(screen.queryByRole('link', { name: 'Go to Settings' })).toBeNull()
})

test('The safety centre links signed-in people to actions', async () => {
  signInAs(jun)
  const { user } = await visit('/safety')
  expect((await screen.findByRole('link', { name: 'Share a date' })).getAttribute('href')).toBe('/dates')
  expect(screen.getByRole('link', { name: 'Go to your data' })).toBeTruthy()
  await user.click(screen.getByRole('link', { name: /What Duet can see/ }))
  expect(await screen.findByRole('heading', { level: 1, name: 'What Duet can see' })).toBeTruthy()
})

test('Every kind of stored data states who reads it and for how long', async () => {
  await visit('/safety/what-we-see')
  const rows = (await screen.findAllByRole('row')).slice(1)
  expect(rows.length).toBeGreaterThan(15)
  for (const row of rows) expect(within(row).getAllByRole('cell')).toHaveLength(2)
  const text = rows.map(({ textContent }) => textContent).join()
  expect(text).toContain('Network and device: 90 days')
  expect(text).not.toContain('{{')
})
