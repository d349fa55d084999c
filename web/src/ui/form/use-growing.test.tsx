import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { startI18n } from '../../platform/i18n.ts'

// Imitates Safari before 26.2 and Firefox before 152, which don't support `field-sizing`.
vi.hoisted(() => vi.stubGlobal('CSS', { supports: () => false }))
const { TextArea } = await import('./text-area.tsx')

function Lines() {
  const [value, setValue] = useState('')
  return <TextArea label="Words" maxLength={40} value={value} onChange={({ target }) => setValue(target.value)} />
}

it('a text area grows with its text in a browser without field-sizing', async () => {
  await startI18n('en')
  render(<Lines />)
  const box = screen.getByLabelText<HTMLTextAreaElement>('Words')
  const sizes = { scrollHeight: 144, offsetHeight: 99, clientHeight: 97 }
  for (const [name, value] of Object.entries(sizes)) Object.defineProperty(box, name, { value })
  fireEvent.change(box, { target: { value: 'Several lines of text' } })
  expect(box.style.height).toBe('146px')
})
