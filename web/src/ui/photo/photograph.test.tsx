import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Photograph } from './photograph.tsx'

const photo = { alt: 'Maya', width: 600, height: 800, blurhash: 'L6PZfSi_.AyE_3t7t7R**0o#DgR4' }
const at = (url: string) => <Photograph photo={{ ...photo, url }} sizes="10px" />
const picture = () => screen.getByRole('img', { name: 'Maya' }) as HTMLImageElement
const isInSight = () => picture().className.includes('opacity-100')

test('a loaded picture keeps its URL when the server signs a new one, until loading fails', () => {
  const view = render(at('/media/x.webp?expires=1'))
  fireEvent.load(picture())
  view.rerender(at('/media/x.webp?expires=2'))
  expect(picture().getAttribute('src')).toBe('/media/x.webp?expires=1')
  expect(isInSight()).toBe(true)
  fireEvent.error(picture())
  expect(picture().getAttribute('src')).toBe('/media/x.webp?expires=2')
  fireEvent.load(picture())
  expect(isInSight()).toBe(true)
})

test('a picture that failed to load tries the next URL', () => {
  const view = render(at('/media/x.webp?expires=1'))
  fireEvent.error(picture())
  view.rerender(at('/media/x.webp?expires=2'))
  expect(picture().getAttribute('src')).toBe('/media/x.webp?expires=2')
})

test('a different picture replaces the previous one', () => {
  const view = render(at('/media/x.webp?expires=1'))
  fireEvent.load(picture())
  view.rerender(at('/media/y.webp?expires=1'))
  expect(picture().getAttribute('src')).toBe('/media/y.webp?expires=1')
  expect(isInSight()).toBe(false)
})
