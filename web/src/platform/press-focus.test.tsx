import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { focusWhatIsPressed } from './press-focus.ts'

test('a clicked button has focus before its handler runs, even in a browser that doesn’t focus clicked buttons', () => {
  focusWhatIsPressed()
  let focused: Element | null = null
  render(
    <button
      type="button"
      onClick={() => {
        focused = document.activeElement
      }}
    >
      <span>Open</span>
    </button>,
  )
  fireEvent.click(screen.getByText('Open'))
  expect(focused).toBe(screen.getByRole('button'))
})
