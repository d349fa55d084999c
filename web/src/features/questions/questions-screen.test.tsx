import type { QuestionAnswer } from '@duet/contract/questions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import texts from '../../locales/en/questions.json'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import QuestionsScreen from './questions-screen.tsx'

const questions = [
  { id: 'day_rhythm', choices: ['early', 'late', 'changes'] },
  { id: 'tidiness', choices: ['tidy', 'lived_in', 'cheerful_mess'] },
  { id: 'make_up', choices: ['same_day', 'after_sleep', 'takes_time'] },
]
const tidy: QuestionAnswer = { question: 'tidiness', choice: 'tidy', accepts: ['tidy', 'lived_in'], importance: 'very' }

beforeEach(() => {
  signInAs(jun)
  vi.spyOn(window, 'scrollTo').mockReturnValue(undefined)
})
afterEach(resetEndpoints)

const draw = (answers: QuestionAnswer[], path = '/questions') => {
  mockEndpoint('GET /api/questions', () => ({ questions, answers }))
  return renderPage(<QuestionsScreen />, { path, texts: ['questions'] })
}
const keepAnswers = () =>
  mockEndpoint('PUT /api/questions/:id/answer', ({ url, body }) => {
    return { question: url.pathname.split('/')[3], ...(body as object) } as QuestionAnswer
  })
const asked = (text: string) => screen.findByRole('heading', { level: 1, name: text })
const button = (name: string) => screen.getByRole('button', { name })

test('an answer, what is fine in others and how much it matters are kept, and the next question follows', async () => {
  const kept = keepAnswers()
  const { user } = await draw([])
  expect(await asked('When are you at your best?')).toBe(document.activeElement)
  expect(screen.queryByText('How much does it matter?')).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Late at night' }))
  await user.click(button('Late at night'))
  await user.click(button('It varies'))
  await user.click(screen.getByRole('radio', { name: 'Very' }))
  await user.click(button('Next'))
  expect(await asked('Your home on an ordinary Tuesday?')).toBe(document.activeElement)
  expect(kept[0]?.url.pathname).toBe('/api/questions/day_rhythm/answer')
  expect(kept[0]?.body).toEqual({ choice: 'late', accepts: ['late', 'changes'], importance: 'very' })
  expect(screen.getByText('1 of 3 answered')).toBeTruthy()
})

test('people who accept any answer continue with one tap', async () => {
  const kept = keepAnswers()
  const { user } = await draw([])
  await asked('When are you at your best?')
  expect(button('Skip')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Late at night' }))
  await user.click(button('Any answer’s fine'))
  await asked('Your home on an ordinary Tuesday?')
  expect(kept[0]?.body).toEqual({ choice: 'late', accepts: [], importance: 'irrelevant' })
})

test.each([
  [0, '0 of 10 to begin'],
  [9, '9 of 10 to begin'],
  [10, 'Ten answered. That’s enough, more are up to you.'],
  [11, '11 of 12 answered'],
])('with %i answers it says "%s"', async (count, words) => {
  const named = Object.entries(texts.catalogue).slice(0, 12)
  const many = named.map(([id, { choices }]) => ({ id, choices: Object.keys(choices) }))
  const all = many.map(({ id }): QuestionAnswer => ({ ...tidy, question: id }))
  mockEndpoint('GET /api/questions', () => ({ questions: many, answers: all.slice(0, count) }))
  await renderPage(<QuestionsScreen />, { path: '/questions', texts: ['questions'] })
  expect(await screen.findByText(words)).toBeTruthy()
})

test('the keyboard alone is enough', async () => {
  const kept = keepAnswers()
  const { user } = await draw([])
  await asked('When are you at your best?')
  await user.tab()
  await user.keyboard(' ')
  await user.tab()
  await user.keyboard(' ')
  await user.keyboard('{Tab}{Tab}{Tab}{ArrowLeft}{Enter}')
  await asked('Your home on an ordinary Tuesday?')
  expect(kept[0]?.body).toEqual({ choice: 'early', accepts: ['early'], importance: 'little' })
})

test('says what is missing, and asks for nothing where it does not matter', async () => {
  const kept = keepAnswers()
  const { user } = await draw([])
  await asked('When are you at your best?')
  await user.click(button('Next'))
  expect(screen.getByRole('alert').textContent).toContain('Choose an answer')
  await user.click(screen.getByRole('radio', { name: 'It varies' }))
  expect(screen.getByRole('alert').textContent).toBe('')
  await user.click(button('Next'))
  expect(screen.getByRole('alert').textContent).toContain('Choose at least one')
  await user.click(screen.getByRole('radio', { name: 'Not at all' }))
  expect(screen.getByText('You’d accept any answer.')).toBeTruthy()
  await user.click(button('Next'))
  await asked('Your home on an ordinary Tuesday?')
  expect(kept.map(({ body }) => body)).toEqual([{ choice: 'changes', accepts: [], importance: 'irrelevant' }])
})

test('stays with the answer when it cannot be saved', async () => {
  mockEndpoint('PUT /api/questions/:id/answer', () => problem(503, 'unavailable'))
  const { user } = await draw([])
  await asked('When are you at your best?')
  await user.click(screen.getByRole('radio', { name: 'It varies' }))
  await user.click(screen.getByRole('radio', { name: 'Not at all' }))
  await user.click(button('Next'))
  expect(await screen.findByText('Your answer couldn’t be saved. Please try again.')).toBeTruthy()
  expect(screen.getByRole('radio', { name: 'It varies' })).toHaveProperty('checked', true)
})

test('goes on behind the last answer; what was skipped is offered at the end', async () => {
  const { user } = await draw([tidy])
  await asked('After a fight, when are things good again?')
  await user.click(button('Skip'))
  await asked('That was the last one')
  await user.click(screen.getByRole('link', { name: 'Answer the skipped ones' }))
  await asked('When are you at your best?')
  await user.click(screen.getByRole('link', { name: 'Back' }))
  await asked('That was the last one')
})

test('ends when everything is answered', async () => {
  await draw(questions.map(({ id, choices }) => ({ ...tidy, question: id, choice: choices[0] ?? '' })))
  expect(await screen.findByText(/You’ve answered every question/)).toBeTruthy()
})

test('an answer can be changed from the list', async () => {
  const kept = keepAnswers()
  const { user } = await draw([tidy], '/questions?view=answers')
  await asked('Your answers')
  expect(screen.getByText('It matters a lot that they answer')).toBeTruthy()
  expect(screen.getByText('Lived in')).toBeTruthy()
  await user.click(button('Change: Your home on an ordinary Tuesday?'))
  await asked('Your home on an ordinary Tuesday?')
  expect(screen.getByRole('radio', { name: 'Everything in its place' })).toHaveProperty('checked', true)
  expect(screen.queryByRole('button', { name: 'Skip' })).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'A cheerful mess' }))
  await user.click(button('Save'))
  await asked('Your answers')
  expect(kept[0]?.body).toEqual({ choice: 'cheerful_mess', accepts: ['tidy', 'lived_in'], importance: 'very' })
  expect(within(screen.getByRole('list', { name: 'Your answers' })).getByText('A cheerful mess')).toBeTruthy()
})

test('each of two answers that are deleted one right after the other can be brought back', async () => {
  const answers: (() => void)[] = []
  mockEndpoint('DELETE /api/questions/:id/answer', async () => {
    await new Promise<void>((resolve) => answers.push(resolve))
    return { ok: true as const }
  })
  const { user } = await draw(
    [tidy, { ...tidy, question: 'make_up', choice: 'same_day', accepts: ['same_day'] }],
    '/questions?view=answers',
  )
  await asked('Your answers')
  await user.click(button('Delete: Your home on an ordinary Tuesday?'))
  await user.click(button('Delete: After a fight, when are things good again?'))
  for (const answer of answers) answer()
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(2))
})

test('a deleted answer is gone', async () => {
  const deleted = mockEndpoint('DELETE /api/questions/:id/answer', () => ({ ok: true }))
  const { user } = await draw([tidy], '/questions?view=answers')
  await asked('Your answers')
  await user.click(button('Delete: Your home on an ordinary Tuesday?'))
  await waitFor(() => expect(screen.getByRole('link', { name: 'Start' })).toBeTruthy())
  expect(deleted[0]?.url.pathname).toBe('/api/questions/tidiness/answer')
})

test('says when the questions cannot be loaded, and tries again', async () => {
  mockEndpoint('GET /api/questions', () => problem(503, 'unavailable'))
  const { user } = await renderPage(<QuestionsScreen />, { path: '/questions', texts: ['questions'] })
  expect(await screen.findByText('The questions couldn’t be loaded.')).toBeTruthy()
  mockEndpoint('GET /api/questions', () => ({ questions, answers: [] }))
  await user.click(button('Retry'))
  await asked('When are you at your best?')
})
