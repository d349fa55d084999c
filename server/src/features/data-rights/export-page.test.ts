import { profileParts } from '@duet/contract/limits.ts'
import { expect, it } from 'vitest'
import { exportPage } from './export-page.ts'

it('the page of an export shows all texts that a decision removed', () => {
  const word = (part: string) => `the old ${part}`
  const takenAway = {
    ...Object.fromEntries(profileParts.map((part) => [part, word(part)])),
    ...{ kind: 'profile', prompts: [{ id: 'first', answer: word('prompts') }] },
    descriptions: { 'one.webp': word('descriptions') },
  }
  const createdAt = '2026-05-01T12:00:00.000Z'
  const sanctions = [{ kind: 'item_removed', statement: '', createdAt, takenAway }]
  const page = exportPage({ sanctions }, { language: 'en', madeAt: createdAt })
  for (const part of profileParts) expect(page).toContain(word(part))
})
