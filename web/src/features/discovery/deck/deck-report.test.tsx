import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aDeck, aPool, aProfile, myDetails } from '../../../test/deck.ts'
import { mockEndpoint, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import { ReportHost } from '../../reports/reports.tsx'
import { Deck } from './deck.tsx'

const cards = [aProfile('Ines'), aProfile('Maya')]

// Import the modules in advance, so that the test doesn't wait for the imports.
beforeAll(() =>
  Promise.all([
    import('../../reports/report-dialog.tsx'),
    import('../../../ui/overlay/dialog-panel.tsx'),
    import('../../../ui/overlay/menu-list.tsx'),
  ]),
)
beforeEach(() => {
  signInAs(jun)
  mockEndpoint('GET /api/deck', () => aDeck(cards))
  mockEndpoint('POST /api/pool', () => aPool())
})
afterEach(resetEndpoints)

test('The visible photo can be reported by keyboard, and a person blocked with the report leaves the deck', async () => {
  const sent = mockEndpoint('POST /api/reports', () => ({ receipt: '4821-0937' }))
  const decided = mockEndpoint('PUT /api/decisions/:userId', () => {
    throw new Error('no one decided')
  })
  const texts = ['discovery', 'catalogue', 'profiles', 'reports']
  const { user } = await renderPage(
    <>
      <Deck details={myDetails()} onFilter={() => undefined} />
      <ReportHost />
    </>,
    { texts },
  )
  await user.click(await screen.findByRole('button', { name: 'Next photo' }))
  screen.getByRole('button', { name: 'More about Ines’s photo 2' }).focus()
  await user.keyboard('{Enter}')
  await screen.findByRole('menuitem', { name: 'Report this photo' })
  // While the menu is open, the arrow keys move the selection in it and don't swipe the card.
  await user.keyboard('{ArrowDown}{ArrowUp}{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Report this photo' }))
  await user.click(dialog.getByRole('radio', { name: 'Unwanted sexual content' }))
  await user.click(dialog.getByRole('button', { name: 'Send report' }))
  await user.click(await screen.findByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.getByRole('article').getAttribute('aria-label')).toBe('Maya, 31'))
  const subject = { kind: 'photo', fileName: 'Ines-2' }
  expect(sent.map(({ body }) => body)).toMatchObject([{ userId: 'ines', subject, block: true }])
  expect(decided).toEqual([])
})
