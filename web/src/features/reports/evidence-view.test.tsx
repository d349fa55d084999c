import type { Evidence, MessageEvidence } from '@duet/contract/reports.ts'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { EvidenceView } from './evidence-view.tsx'

const sentAt = '2026-05-01T12:00:00Z'
const said: MessageEvidence = {
  ...{ seq: 1, by: 'reported', text: 'Pay or else', sentAt, editedAt: null, deletedAt: null, attachment: null },
}
const draw = (evidence: Evidence) =>
  renderPage(<EvidenceView evidence={evidence} subject={{ kind: 'message', seq: 1 }} since={sentAt} />, {
    texts: ['reports', 'profiles'],
  })

test('A moderator sees the content of each sighting, in order', async () => {
  const later = [
    { profile: null, photos: [], messages: [{ ...said, text: 'Or else' }], seenAt: '2026-05-02T12:00:00Z' },
  ]
  await draw({ profile: null, photos: [], messages: [said], later })
  const [first, again] = screen.getAllByRole('heading', { level: 3, hidden: true })
  expect([first?.textContent, again?.textContent]).toEqual([
    expect.stringMatching(/^First report/),
    expect.stringMatching(/^Reported again/),
  ])
  const texts = [screen.getByText('Pay or else'), screen.getByText('Or else')] as const
  expect(texts[0].compareDocumentPosition(texts[1])).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('A moderator sees the text of a message before it was edited and deleted', async () => {
  const earlier = [{ text: 'You will regret this', until: '2026-05-01T12:05:00Z' }]
  await draw({ profile: null, photos: [], messages: [{ ...said, deletedAt: sentAt, earlier }] })
  for (const text of ['You will regret this', 'Deleted before the report', 'Pay or else'])
    expect(screen.getByText(text)).toBeTruthy()
  expect(screen.queryByText(/First report/)).toBeNull()
})
