import { questionCatalogue } from '@duet/contract/question-catalogue.ts'
import type { QuestionAnswer } from '@duet/contract/questions.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import type { Question } from './questions.api.ts'
import QuestionsScreen from './questions-screen.tsx'

const questions: Question[] = [
  { id: 'day_rhythm', topic: 'home', choices: ['early', 'late', 'changes'] },
  { id: 'tidiness', topic: 'home', choices: ['tidy', 'lived_in', 'cheerful_mess'] },
  { id: 'make_up', topic: 'talking', choices: ['same_day', 'after_sleep', 'takes_time'] },
]
const first = '/questions?question=day_rhythm'
const tidy: QuestionAnswer = { question: 'tidiness', choice: 'tidy', accepts: ['tidy', 'lived_in'], importance: 'very' }
const fight: QuestionAnswer = { ...tidy, question: 'make_up', choice: 'same_day', accepts: ['same_day'] }

beforeEach(() => {
  signInAs(jun)
  vi.spyOn(window, 'scrollTo').mockReturnValue(undefined)
})
afterEach(resetEndpoints)

const drawAll = (many: Question[], answers: QuestionAnswer[], path: string) => {
  mockEndpoint('GET /api/questions', () => ({ questions: many, answers }))
  return renderPage(<QuestionsScreen />, { path, texts: ['questions'] })
}
const draw = (answers: QuestionAnswer[], path = first) => drawAll(questions, answers, path)
const keepAnswers = () =>
  mockEndpoint('PUT /api/questions/:id/answer', ({ url, body }) => {
    return { question: url.pathname.split('/')[3], ...(body as object) } as QuestionAnswer
  })
const twelve: Question[] = questionCatalogue
  .slice(0, 12)
  .map(({ choices, ...one }) => ({ ...one, choices: [...choices] }))
const answersTo = (many: Question[]) => many.map(({ id }): QuestionAnswer => ({ ...tidy, question: id }))
const asked = (text: string) => screen.findByRole('heading', { level: 1, name: text })
const overview = () => screen.findByRole('heading', { level: 2, name: 'By topic' })
const button = (name: string) => screen.getByRole('button', { name })
const link = (name: string | RegExp) => screen.getByRole('link', { name })

test('An answer with its importance and accepted answers is saved, and the next question follows', async () => {
  const kept = keepAnswers()
  const { user } = await draw([])
  const heading = await asked('When are you at your best?')
  expect(heading).toBe(document.activeElement)
  expect(document.getElementById(heading.getAttribute('aria-describedby') ?? '')?.textContent).toBe('0 of 3 answered')
  expect(screen.queryByText('How much does their answer matter?')).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Late at night' }))
  expect(screen.queryByText('What answers would you accept?')).toBeNull()
  await user.click(button('Very'))
  expect(button('Late at night').getAttribute('aria-pressed')).toBe('true')
  await user.click(button('It varies'))
  await user.click(button('Next'))
  expect(await asked('Your home on an ordinary Tuesday?')).toBe(document.activeElement)
  expect(kept[0]?.url.pathname).toBe('/api/questions/day_rhythm/answer')
  expect(kept[0]?.body).toEqual({ choice: 'late', accepts: ['late', 'changes'], importance: 'very' })
  expect(screen.getByText('1 of 3 answered')).toBeTruthy()
})

test.each([
  ['faith_daily', 1],
  ['day_rhythm', 0],
])('Only a question about faith, politics or sex says what answering agrees to: %s', async (id, times) => {
  const faith: Question = { id: 'faith_daily', topic: 'values', choices: ['important', 'somewhat', 'not_much'] }
  await drawAll([...questions, faith], [], `/questions?question=${id}`)
  await screen.findAllByRole('radio')
  expect(screen.queryAllByText(/By answering, you agree/)).toHaveLength(times)
})

test('If others’ answers don’t matter, the next question follows immediately', async () => {
  const kept = keepAnswers()
  const { user } = await draw([])
  await asked('When are you at your best?')
  await user.click(screen.getByRole('radio', { name: 'Late at night' }))
  await user.click(button('Not at all'))
  expect(await asked('Your home on an ordinary Tuesday?')).toBe(document.activeElement)
  expect(kept[0]?.body).toEqual({ choice: 'late', accepts: [], importance: 'irrelevant' })
})

test('The accepted answer follows a change of my own answer', async () => {
  const kept = keepAnswers()
  const { user } = await draw([])
  await asked('When are you at your best?')
  await user.click(screen.getByRole('radio', { name: 'Late at night' }))
  await user.click(button('Very'))
  await user.click(screen.getByRole('radio', { name: 'It varies' }))
  await user.click(button('Next'))
  await asked('Your home on an ordinary Tuesday?')
  expect(kept[0]?.body).toEqual({ choice: 'changes', accepts: ['changes'], importance: 'very' })
})

test.each([
  [0, '0 of 10 to begin', 'Start', /question=day_rhythm/],
  [9, '9 of 10 to begin', 'Continue', /questions\?question=first_bill/],
  [10, '10 of 12 answered', 'Continue', /topic=home&question=pets_home/],
  [12, 'All 12 answered', undefined, /./],
])('With %i answers the topics show "%s" and offer "%s"', async (count, words, act, to) => {
  await drawAll(twelve, answersTo(twelve.slice(0, count)), '/questions')
  await overview()
  expect(screen.getAllByText(words)).toBeTruthy()
  if (act) expect(link(act).getAttribute('href')).toMatch(to)
  else for (const none of ['Start', 'Continue']) expect(screen.queryByRole('link', { name: none })).toBeNull()
})

test('Each topic shows its progress and continues there, and a finished one leads to its answers', async () => {
  const { user } = await draw([fight, tidy], '/questions')
  await overview()
  await user.click(link(/Home and daily life\s*1 of 2 answered/))
  await asked('When are you at your best?')
  expect(screen.getByText('Home and daily life ·')).toBeTruthy()
  await user.click(link('All topics'))
  await user.click(link(/Talking and arguing\s*All 1 answered/))
  await asked('Your answers')
  expect(screen.getByRole('list', { name: 'Talking and arguing' })).toBeTruthy()
  expect(screen.queryByText('Your home on an ordinary Tuesday?')).toBeNull()
})

test('The tenth answer is followed by a pause', async () => {
  keepAnswers()
  const { user } = await drawAll(twelve, answersTo(twelve.slice(1, 10)), first)
  await asked('When are you at your best?')
  await user.click(screen.getByRole('radio', { name: 'It varies' }))
  await user.click(button('Not at all'))
  expect(await asked('That’s ten')).toBe(document.activeElement)
  expect(link('Meet people').getAttribute('href')).toBe('/home')
  await user.click(link('More questions'))
  await overview()
})

test('A finished topic leads to the next one', async () => {
  keepAnswers()
  const { user } = await draw([tidy], '/questions?topic=home&question=day_rhythm')
  await asked('When are you at your best?')
  await user.click(screen.getByRole('radio', { name: 'It varies' }))
  await user.click(button('Not at all'))
  await asked('Home and daily life: all answered')
  await user.click(link('Next: Talking and arguing'))
  await asked('After a fight, when are things good again?')
})

test('A question can be answered by keyboard alone', async () => {
  const kept = keepAnswers()
  const { user } = await draw([])
  await asked('When are you at your best?')
  await user.tab()
  await user.keyboard(' ')
  await user.keyboard('{Tab}{Tab}{Enter}')
  expect(button('A little').getAttribute('aria-pressed')).toBe('true')
  await user.keyboard('{Tab}{Tab}{Tab}{Tab} ')
  await user.keyboard('{Tab}{Tab}{Tab}{Enter}')
  await asked('Your home on an ordinary Tuesday?')
  expect(kept[0]?.body).toEqual({ choice: 'early', accepts: ['early', 'late'], importance: 'little' })
})

test('An incomplete answer says what is missing', async () => {
  const kept = keepAnswers()
  const { user } = await draw([])
  await asked('When are you at your best?')
  await user.click(button('Next'))
  expect(screen.getByRole('alert').textContent).toContain('Choose an answer')
  await user.click(screen.getByRole('radio', { name: 'It varies' }))
  expect(screen.getByRole('alert').textContent).toBe('')
  await user.click(button('Next'))
  expect(screen.getByRole('alert').textContent).toContain('Choose how much')
  await user.click(button('Very'))
  await user.click(button('It varies'))
  await user.click(button('Next'))
  expect(screen.getByRole('alert').textContent).toContain('Choose at least one')
  expect(kept).toEqual([])
})

test('An answer that can’t be saved stays, with an error', async () => {
  mockEndpoint('PUT /api/questions/:id/answer', () => problem(503, 'unavailable'))
  const { user } = await draw([])
  await asked('When are you at your best?')
  await user.click(screen.getByRole('radio', { name: 'It varies' }))
  await user.click(button('Not at all'))
  expect(await screen.findByText('Your answer couldn’t be saved. Please try again.')).toBeTruthy()
  expect(screen.getByRole('radio', { name: 'It varies' })).toHaveProperty('checked', true)
})

test('Questions continue after the last answer, and skipped ones are offered at the end', async () => {
  const { user } = await draw([tidy], '/questions')
  await overview()
  await user.click(link('Continue'))
  await asked('After a fight, when are things good again?')
  await user.click(button('Skip'))
  await asked('That was the last one')
  await user.click(link('Answer the skipped ones'))
  await asked('When are you at your best?')
  await user.click(link('Back'))
  await asked('That was the last one')
})

test('A person who has answered everything is told so', async () => {
  await draw(
    questions.map(({ id, choices }) => ({ ...tidy, question: id, choice: choices[0] ?? '' })),
    '/questions?question=end',
  )
  expect(await screen.findByText(/You’ve answered every question/)).toBeTruthy()
})

test('An answer can be changed from the list, and is saved only on request', async () => {
  const kept = keepAnswers()
  const { user } = await draw([tidy], '/questions?view=answers')
  await asked('Your answers')
  expect(screen.getByText('It matters a lot that they answer')).toBeTruthy()
  expect(screen.getByText('Lived in')).toBeTruthy()
  await user.click(button('Change: Your home on an ordinary Tuesday?'))
  await asked('Your home on an ordinary Tuesday?')
  expect(screen.getByRole('radio', { name: 'Everything in its place' })).toHaveProperty('checked', true)
  expect(screen.queryByRole('button', { name: 'Skip' })).toBeNull()
  await user.click(button('Not at all'))
  await user.click(button('Very'))
  await user.click(screen.getByRole('radio', { name: 'A cheerful mess' }))
  await user.click(button('Save'))
  await asked('Your answers')
  expect(kept.map(({ body }) => body)).toEqual([
    { choice: 'cheerful_mess', accepts: ['tidy', 'lived_in'], importance: 'very' },
  ])
  expect(within(screen.getByRole('list', { name: 'Home and daily life' })).getByText('A cheerful mess')).toBeTruthy()
})

test('An answer that another device saved meanwhile is shown, not overwritten', async () => {
  const { user, queryClient } = await draw([tidy], '/questions?view=answers')
  await asked('Your answers')
  await user.click(button('Change: Your home on an ordinary Tuesday?'))
  await asked('Your home on an ordinary Tuesday?')
  mockEndpoint('GET /api/questions', () => ({ questions, answers: [{ ...tidy, choice: 'cheerful_mess' }] }))
  await act(() => queryClient.invalidateQueries())
  await waitFor(() => expect(screen.getByRole('radio', { name: 'A cheerful mess' })).toHaveProperty('checked', true))
})

test('Two answers deleted in quick succession can each be restored', async () => {
  const answers: (() => void)[] = []
  mockEndpoint('DELETE /api/questions/:id/answer', async () => {
    await new Promise<void>((resolve) => answers.push(resolve))
    return { ok: true as const }
  })
  const { user } = await draw([tidy, fight], '/questions?view=answers')
  await asked('Your answers')
  await user.click(button('Delete: Your home on an ordinary Tuesday?'))
  await user.click(button('Delete: After a fight, when are things good again?'))
  for (const answer of answers) answer()
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(2))
})

test('A deleted answer leaves the list', async () => {
  const deleted = mockEndpoint('DELETE /api/questions/:id/answer', () => ({ ok: true }))
  const { user } = await draw([tidy], '/questions?view=answers')
  await asked('Your answers')
  await user.click(button('Delete: Your home on an ordinary Tuesday?'))
  await waitFor(() => expect(link('Start')).toBeTruthy())
  expect(deleted[0]?.url.pathname).toBe('/api/questions/tidiness/answer')
})

test('The questions screen shows an error if it can’t load, and can retry', async () => {
  mockEndpoint('GET /api/questions', () => problem(503, 'unavailable'))
  const { user } = await renderPage(<QuestionsScreen />, { path: first, texts: ['questions'] })
  expect(await screen.findByText('The questions couldn’t be loaded.')).toBeTruthy()
  mockEndpoint('GET /api/questions', () => ({ questions, answers: [] }))
  await user.click(button('Retry'))
  await asked('When are you at your best?')
})
