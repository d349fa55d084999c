import type { MyDetails } from '@duet/contract/profiles.ts'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { Completeness } from './completeness.tsx'

const items: MyDetails['completeness']['items'] = [
  { item: 'photo', done: true, weight: 25 },
  { item: 'more_photos', done: false, weight: 10, missing: 1 },
  { item: 'place', done: false, weight: 7 },
  { item: 'questions', done: false, weight: 8, missing: 2 },
]

test('The completeness card shows what is missing, what it adds, and where to fill it in', async () => {
  await renderPage(<Completeness completeness={{ percent: 85, items }} />, { texts: ['profiles'] })
  expect(screen.getByText('85% complete')).toBeTruthy()
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['1 more photo+10%', '#photos'],
    ['Your location+7%', '#place'],
    ['2 more questions to answer+8%', '/questions'],
  ])
})

test('A complete profile is asked for nothing more', async () => {
  const completeness = { percent: 100, items: items.map((item) => ({ ...item, done: true })) }
  await renderPage(<Completeness completeness={completeness} />, { texts: ['profiles'] })
  expect(screen.getByText('Your profile is complete.')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})
